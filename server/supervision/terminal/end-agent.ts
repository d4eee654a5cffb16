/**
 * The two harder ways to end an agent that does not stop on its own. Neither needs its terminal.
 */
import { leftoverText } from '../../../shared/words/sessions/leftover-text.ts';
import { RUN_VARIABLE, type LaunchFiles } from '../../agents/launch/launch-files.ts';
import type { Clock } from '../../lib/clock.ts';
import { endProcesses } from '../../lib/processes/end-processes.ts';
import type { Log } from '../../lib/log.ts';
import { OwnedProcesses } from '../../lib/processes/owned-processes.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Processes } from '../../lib/processes/processes.ts';
import { within } from '../../lib/within.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { TERMINAL_VARIABLE } from '../../terminals/end-terminal.ts';
import type { TerminalAgent } from './terminal-agent.ts';

export interface EndAgentOptions {
  sessions: Sessions;
  launchFiles: LaunchFiles;
  processes: Processes;
  clock: Clock;
  logger: Log;
}

/** A terminal that has not pressed a key by then counts as unable to. */
const PRESS_MS = 2_000;
/** How long each signal may take, from SIGTERM to the second SIGKILL. */
const GRACE_MS = 2_000;

/**
 * Presses Ctrl-C, but only into the agent: at its shell there is nothing of ours to interrupt. Where
 * a person runs another program in front of it, or the terminal cannot press the key, the agent gets
 * SIGINT instead.
 */
export async function interruptAgent(
  { sessionName, process }: TerminalAgent,
  { sessions, processes, clock, logger }: EndAgentOptions,
): Promise<void> {
  try {
    const front = sessions.foreground(sessionName);
    if (front.kind === 'shell') return;
    const isOther =
      front.kind === 'program' && process !== null && !isSameProcess(front.program, process);
    const pressed = isOther ? null : await within(clock, PRESS_MS, sessions.interrupt(sessionName));
    if (pressed?.answer === 'typed' || process === null) return;
    processes.signal(process, 'SIGINT');
  } catch (error) {
    logger.warn({ err: error, session: sessionName }, 'the interrupt failed');
  }
}

/**
 * Ends an agent and every process it started, wherever that moved; `seen` are processes that were
 * its descendants at some time. Returns what is left and how a person ends it, or null when nothing
 * is. Never rejects.
 */
export async function endRun(
  { sessionName, runId, process }: TerminalAgent,
  seen: readonly ProcessIdentity[],
  { sessions, launchFiles, processes, clock }: EndAgentOptions,
): Promise<string | null> {
  const mark = terminalMark(sessions, sessionName);
  const owned = new OwnedProcesses(
    {
      roots: process === null ? [] : [process],
      marks: [{ name: RUN_VARIABLE, value: runId }],
      commandTexts: launchFiles.commandTextsOf(runId),
      ...(mark === null || process === null
        ? {}
        : { orphans: { mark: { name: TERMINAL_VARIABLE, value: mark }, since: process } }),
    },
    { processes, clock },
  );
  owned.remember(seen);
  const ending = { processes, clock, graceMs: GRACE_MS };
  const left = await endProcesses(owned, ending);
  if (left?.length === 0) return null;
  if (left !== null) return leftoverText(left);
  const of = process === null ? '' : ` of process ${process.pid}`;
  return `Cannot list the processes${of}. Check them with: ps -ef`;
}

function terminalMark(sessions: Sessions, name: string): string | null {
  return sessions.identityOf(name)?.mark ?? null;
}
