/** Builds the client around this process: terminal or pipe, signals, and the only way out. */
import { randomUUID } from 'node:crypto';
import { Client } from './client.ts';
import { InputLog } from './files/input-log.ts';
import { Responsiveness } from './screen/responsiveness.ts';
import { Keyboard } from './screen/keyboard.ts';
import { clientHome } from './headless/conversation-file.ts';
import type { Leave } from './leave.ts';
import { LineScreen } from './screen/line-screen.ts';
import { loadScenario } from './load-scenario.ts';
import type { Launch } from './parse-arguments.ts';
import { Hooks } from './run-hooks.ts';
import type { Scenario } from './scenario.ts';
import { StatusRecord } from './files/status-record.ts';
import { TerminalScreen } from './screen/terminal-screen.ts';
import { welcomeRows } from './files/transcript.ts';

const DEFAULT_STEP_MS = 2000;

/** Runs until the client leaves, which ends the process. */
export function startClient(launch: Launch, version: string): void {
  const environment = process.env;
  const interactive = process.stdin.isTTY && process.stdout.isTTY;
  const responsiveness = new Responsiveness();
  const sessionId = launch.sessionId ?? randomUUID();
  const record = new StatusRecord(sessionId, version, environment);
  const hooks = new Hooks(launch.settings, sessionId);
  const { talk, status_record: hasRecord } = scenarioHere(environment);
  const isTalk = talk.length > 0;
  let keyboard: Keyboard | null = null;

  const leave: Leave = ({ code, crash, message }) => {
    keyboard?.close();
    client.screen.close(crash !== undefined);
    if (message) process.stderr.write(`${message}\n`);
    if (crash === undefined) {
      record.remove();
      hooks.fireLast('SessionEnd', { reason: code === 0 ? 'prompt_input_exit' : 'other' });
    }
    if (crash !== undefined && crash !== 'exit') {
      process.removeAllListeners(crash);
      process.kill(process.pid, crash);
    }
    process.exit(code);
  };
  const client: Client = new Client({
    openScreen: (view) =>
      interactive ? new TerminalScreen(process.stdout, view) : new LineScreen(),
    record,
    responsiveness,
    inputLog: new InputLog(isTalk ? clientHome(environment) : null),
    hooks,
    talk,
    renew: () => {
      hooks.fire('SessionEnd', { reason: 'clear' });
      const conversation = randomUUID();
      hooks.renew(conversation);
      record.renew(conversation);
      hooks.fire('SessionStart', { source: 'clear' });
      client.screen.clear();
      client.screen.print(() => welcomeRows(version, process.cwd()));
    },
    environment,
    stepMs: stepTime(environment.LOOPWATCH_STAND_IN_STEP_MS),
    mode: launch.permissionMode ?? 'default',
    interactive,
    leave,
  });

  process.on('SIGHUP', () => leave({ code: 129 }));
  process.on('SIGTERM', () => {
    if (!responsiveness.deaf) leave({ code: 143 });
  });
  process.on('SIGINT', () => {
    if (interactive) client.pressInterrupt();
    else if (!responsiveness.deaf) leave({ code: 130 });
  });
  // A closed terminal or reader is a hang-up, whichever stream notices first.
  process.stdout.on('error', () => process.exit(129));
  if (interactive) {
    keyboard = new Keyboard(process.stdin, (key) => client.press(key));
    process.stdin.on('end', () => leave({ code: 129 })).on('error', () => leave({ code: 129 }));
  }

  if (environment.LOOPWATCH_STAND_IN_RECORD === '1' || (isTalk && hasRecord)) record.turnOn();
  hooks.fire('SessionStart', { source: 'startup' });
  client.screen.print(() => welcomeRows(version, process.cwd()));
  const prompt = launch.prompt?.trim() ?? '';
  if (prompt === '' && !interactive) {
    leave({ code: 1, message: 'Without a terminal the stand-in needs a prompt.' });
  }
  client.submit(prompt);
}

/** That of the current directory: a loop may name another. Ends the process when it is not valid. */
function scenarioHere(environment: NodeJS.ProcessEnv): Scenario {
  try {
    return loadScenario(process.cwd(), environment);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(2);
  }
}

function stepTime(setting: string | undefined): number {
  const milliseconds = Number(setting ?? DEFAULT_STEP_MS);
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? milliseconds : DEFAULT_STEP_MS;
}
