/**
 * What scripts import as `loopwatch/control`: whether a Pylon or a Loopwatch daemon runs on this
 * machine, its pid, and commands to it. None running is an answer, not an error.
 */
import { join } from 'node:path';
import { pylonDirectory } from '../lib/config/config.ts';
import type { ControlCommand, ControlOptions, ControlResult } from './control-messages.ts';
import { livingProcess, PID_FILE } from './pid-file.ts';
import { sendCommand } from './send-command.ts';
import { CONTROL_SOCKET } from './socket-place.ts';

export type {
  ControlCommand,
  ControlFailure,
  ControlOptions,
  ControlReply,
  ControlResult,
  ControlStatus,
} from './control-messages.ts';

/** Whether the process of its pid file is alive. A reused pid counts: only `Ping` proves a Pylon. */
export function isPylonRunning(): boolean {
  return getPylonPid() !== null;
}

/** Null when no Pylon runs. */
export function getPylonPid(): number | null {
  return livingProcess(join(pylonDirectory(), 'pylon.pid'))?.pid ?? null;
}

/** Never rejects because of the Pylon. Rejects with a RangeError for a time-out that is none. */
export async function sendPylonCommand(
  command: ControlCommand,
  options: ControlOptions = {},
): Promise<ControlResult> {
  return sendCommand(join(pylonDirectory(), CONTROL_SOCKET), command, options);
}

/** Whether the Loopwatch daemon of that home runs; a reused pid is not mistaken for it. */
export function isRunning(home: string): boolean {
  return pid(home) !== null;
}

/** Of the Loopwatch daemon of that home; null when none runs. */
export function pid(home: string): number | null {
  return livingProcess(join(home, PID_FILE))?.pid ?? null;
}

/** The same as `sendPylonCommand` for the Loopwatch daemon of that home. */
export async function send(
  home: string,
  command: ControlCommand,
  options: ControlOptions = {},
): Promise<ControlResult> {
  return sendCommand(join(home, CONTROL_SOCKET), command, options);
}
