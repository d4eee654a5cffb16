/** One run of a command: no shell, the message on its standard input, an environment of its own. */
import { spawn } from 'node:child_process';
import { systemCode } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, type Message, type Outcome, success } from './outcome.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024;

interface RunOptions {
  clock: Clock;
  /** What it gets besides the event: nothing of the daemon's own settings. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Takes a program with its arguments and a message; gives how it ended. After 30 s, or when `signal`
 * aborts, its whole process group is killed. Throws what the system says of words it cannot take.
 */
export async function runCommand(
  [program = '', ...words]: readonly string[],
  message: Message,
  { clock, environment, signal }: RunOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: '/',
      env: { ...environment, ...eventVariables(message) },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it started ends with it.
      detached: true,
    });
    // First, because without a listener it would end the daemon.
    child.on('error', (error) =>
      end(failure(`the command could not be run (${systemCode(error) ?? 'unknown cause'})`)),
    );
    let output = Buffer.alloc(0);
    let ended: Outcome | null = null;
    const kill = (why: string) => {
      ended ??= failure(why, { output: textOf(output) });
      killGroup(child.pid);
      // Who left the group can still hold the pipes.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    };
    const abort = () => kill('the daemon ended');
    const timer = clock.after(TIMEOUT_MS, () => kill(`killed after ${TIMEOUT_MS / 1000} s`));
    signal.addEventListener('abort', abort, { once: true });
    const end = (outcome: Outcome) => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const keep = (chunk: Buffer) => {
      output = Buffer.concat([output, chunk]).subarray(-MAX_OUTPUT_BYTES);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // A command that does not read what it is told closes the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.on('exit', (code, by) => {
      ended ??= endOf(code, by);
    });
    child.on('close', () => {
      const outcome = ended ?? failure('the command ended');
      end({ ...outcome, output: textOf(output) });
    });
    child.stdin.end(`${message.body}\n`);
    if (signal.aborted) abort();
  });
}

function endOf(code: number | null, by: NodeJS.Signals | null): Outcome {
  if (code === 0) return success(0);
  if (code !== null) return failure(`exit code ${code}`, { status: code });
  return failure(`ended by ${by ?? 'a signal'}`);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Named as by `loopwatch watch --exec`; the key is in the body. */
function eventVariables({ id, type, session, task, reason }: Message): NodeJS.ProcessEnv {
  return {
    LOOPWATCH_ALERT_ID: id,
    LOOPWATCH_EVENT_TYPE: type,
    LOOPWATCH_EVENT_SESSION: session ?? '',
    LOOPWATCH_EVENT_TASK: task ?? '',
    LOOPWATCH_EVENT_REASON: reason ?? '',
  };
}

function textOf(output: Buffer): string | null {
  return output.length === 0 ? null : output.toString('utf8');
}
