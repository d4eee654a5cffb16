/** What `loopwatch status` says about sockets: the daemon's own, and a Pylon on this machine. */
import { formatDuration } from '../../shared/words/format-duration.ts';
import { oneLine } from '../../shared/rules/text/plain-text.ts';
import { getPylonPid, send, sendPylonCommand } from '../control/control-client.ts';
import type { ControlResult, ControlStatus } from '../control/control-messages.ts';
import { linkedSocket } from '../control/socket-place.ts';

/** Characters of a line about a Pylon: it chooses some of them. */
const MAX_PYLON_LINE = 200;
/** A Pylon that hangs must not hold up the status of the daemon. */
const PYLON_TIMEOUT_MS = 1_000;

export interface ControlState {
  control: {
    socket: string | null;
    /** Null when it answers. */
    problem: string | null;
  };
  /** Null when no Pylon runs. */
  pylon: {
    pid: number;
    /** Null when it did not say; `problem` says why. */
    status: ControlStatus | null;
    problem: string | null;
  } | null;
}

export async function controlState(home: string): Promise<ControlState> {
  const [answer, pylon] = await Promise.all([send(home, 'Ping'), pylonState()]);
  const problem = answer.ok && answer.reply === 'Pong' ? null : problemOf(answer);
  return { control: { socket: linkedSocket(home), problem }, pylon };
}

async function pylonState(): Promise<ControlState['pylon']> {
  const pid = getPylonPid();
  if (pid === null) return null;
  const result = await sendPylonCommand('Status', { timeoutMs: PYLON_TIMEOUT_MS });
  if (result.ok && typeof result.reply === 'object' && 'Status' in result.reply) {
    return { pid, status: result.reply.Status, problem: null };
  }
  return { pid, status: null, problem: problemOf(result) };
}

/** Why there is no usable answer, in words. */
export function problemOf(result: ControlResult): string {
  if (!result.ok) return result.message;
  const { reply } = result;
  const said = typeof reply === 'object' && 'Error' in reply ? reply.Error : JSON.stringify(reply);
  return `unexpected reply: ${said}`;
}

export function controlLines({ control, pylon }: ControlState): string[] {
  const socket =
    control.problem === null
      ? `control socket ${control.socket ?? ''}`
      : `control socket does not answer: ${control.problem}`;
  return [socket, ...(pylon === null ? [] : [oneLine(pylonLine(pylon), MAX_PYLON_LINE)])];
}

function pylonLine({ pid, status, problem }: NonNullable<ControlState['pylon']>): string {
  if (status === null) return `Pylon pid ${pid} does not answer: ${problem ?? ''}`;
  const { running, uptime_secs: seconds, jobs_completed: jobs } = status;
  const state = running ? `running for ${formatDuration(seconds)}` : 'stopped';
  return `Pylon pid ${pid}, ${state}, jobs completed: ${jobs}`;
}
