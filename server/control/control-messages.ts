/** What travels over a control socket: one line of JSON each way, in the form a Pylon uses. */
import { z } from 'zod';

export type ControlCommand = 'Status' | 'Ping' | 'Shutdown';

export interface ControlStatus {
  running: boolean;
  uptime_secs: number;
  /** A Pylon that offers compute, or serves other programs; never true of Loopwatch. */
  provider_active: boolean;
  host_active: boolean;
  /** Of Loopwatch: loops, tasks and runs completed since the daemon started. */
  jobs_completed: number;
  earnings_msats: number;
}

export type ControlReply = 'Ok' | 'Pong' | { Status: ControlStatus } | { Error: string };

/**
 * `absent`: nothing listens there. `closed`: the connection ended without a reply. The others: no
 * reply in time, a reply longer than 4 KiB, one that is none of these, a socket that cannot be used.
 */
export type ControlFailure =
  'absent' | 'closed' | 'timeout' | 'too_large' | 'invalid_reply' | 'unreachable';

export type ControlResult =
  { ok: true; reply: ControlReply } | { ok: false; reason: ControlFailure; message: string };

export interface ControlOptions {
  /** For the whole exchange; 5,000 unless given. */
  timeoutMs?: number;
}

/** Of a command or a reply, without the newline. */
export const MAX_LINE_BYTES = 4096;
/** For one connection, on either side. */
export const EXCHANGE_MS = 5_000;

const COMMANDS: readonly unknown[] = ['Status', 'Ping', 'Shutdown'] satisfies ControlCommand[];
const Count = z.number().min(0);
const Reply = z.union([
  z.literal('Ok'),
  z.literal('Pong'),
  z.object({
    Status: z.object({
      running: z.boolean(),
      uptime_secs: Count,
      provider_active: z.boolean(),
      host_active: z.boolean(),
      jobs_completed: Count,
      earnings_msats: Count,
    }),
  }),
  z.strictObject({ Error: z.string() }),
]);

/** Null for anything else. */
export function readCommand(line: string): ControlCommand | null {
  const value = parse(line);
  return COMMANDS.includes(value) ? (value as ControlCommand) : null;
}

/** Null for anything else; fields that are not known are left out. */
export function readReply(line: string): ControlReply | null {
  return Reply.safeParse(parse(line)).data ?? null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
