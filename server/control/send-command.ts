/** The other end of a control socket: sends one command and reads the reply, within time and size. */
import { connect } from 'node:net';
import { systemCode } from '../lib/app-error.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import {
  type ControlCommand,
  type ControlFailure,
  type ControlOptions,
  type ControlResult,
  EXCHANGE_MS,
  MAX_LINE_BYTES,
  readReply,
} from './control-messages.ts';
import { FirstLine } from './first-line.ts';
import { followLink } from './socket-place.ts';

/** The kernel's limit is 107 on Linux and 103 on macOS; a longer path would be cut short. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Never rejects because of the other side. Throws a RangeError for a time-out that is none. */
export async function sendCommand(
  path: string,
  command: ControlCommand,
  { timeoutMs = EXCHANGE_MS }: ControlOptions = {},
  clock: Clock = systemClock,
): Promise<ControlResult> {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new RangeError(`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_MS}`);
  }
  const socketPath = followLink(path) ?? path;
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    return failure('unreachable', `${socketPath} is too long for a socket path`);
  }
  return new Promise((resolve) => {
    const reply = new FirstLine(MAX_LINE_BYTES);
    const socket = connect({ path: socketPath });
    const timer = clock.after(timeoutMs, () => {
      settle(failure('timeout', `no reply from ${path} within ${timeoutMs} ms`));
    });
    socket.once('connect', () => socket.write(`${JSON.stringify(command)}\n`));
    socket.on('data', (chunk: Buffer) => {
      const first = reply.add(chunk);
      if (first === 'too_long') settle(failure('too_large', `the reply from ${path} is too long`));
      else if (first !== null) settle(resultOf(first.line, path));
    });
    socket.once('end', () => settle(failure('closed', `${path} closed without a reply`)));
    socket.once('error', (error) => settle(failureOf(error, path)));

    function settle(result: ControlResult): void {
      timer.cancel();
      // What still arrives, errors too, is of no interest; only the first call resolves.
      socket.removeAllListeners().on('error', () => undefined);
      socket.destroy();
      resolve(result);
    }
  });
}

function resultOf(line: string, path: string): ControlResult {
  const reply = readReply(line);
  if (reply === null)
    return failure('invalid_reply', `${path} sent a reply that is not understood`);
  return { ok: true, reply };
}

function failureOf(error: Error, path: string): ControlResult {
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ECONNREFUSED':
      return failure('absent', `nothing listens on ${path}`);
    case 'ECONNRESET':
    case 'EPIPE':
      return failure('closed', `${path} closed without a reply`);
    default:
      return failure('unreachable', `${path}: ${error.message}`);
  }
}

function failure(reason: ControlFailure, message: string): ControlResult {
  return { ok: false, reason, message };
}
