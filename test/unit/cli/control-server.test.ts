import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ControlCommand, ControlReply } from '../../../server/control/control-messages.ts';
import { listenForControl } from '../../../server/control/control-server.ts';
import { exchange, RawControl } from '../../support/daemon/control-exchange.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const TIME_LIMIT_MS = 5_000;
const OPEN_AT_ONCE = 32;

let root: string;
let path: string;
let clock: ManualClock;
let shutdowns: number;
let close: () => void;

const REPLIES: Record<ControlCommand, ControlReply> = {
  Ping: 'Pong',
  Shutdown: 'Ok',
  Status: { Error: 'a status' },
};

beforeEach(async () => {
  root = mkdtempSync(join(TEST_ROOT, 'c'));
  chmodSync(root, 0o700);
  path = join(root, 'control.sock');
  clock = new ManualClock();
  shutdowns = 0;
  close = await listenForControl({
    path,
    clock,
    handle: (command) => ({
      reply: REPLIES[command],
      ...(command === 'Shutdown' ? { then: () => (shutdowns += 1) } : {}),
    }),
    failed: (error) => {
      throw error;
    },
  });
});

afterEach(() => {
  close();
  rmSync(root, { recursive: true });
});

const PONG = '"Pong"\n';
const UNKNOWN =
  '{"Error":"unknown command; known are \\"Status\\", \\"Ping\\" and \\"Shutdown\\""}\n';
const TOO_LONG = '{"Error":"a command has at most 4096 bytes"}\n';

it.each([
  ['a command', '"Ping"\n', PONG],
  ['blanks around it', ' "Ping"\t\r\n', PONG],
  ['a second line, which is ignored', '"Ping"\n"Shutdown"\n', PONG],
  ['no string', 'Ping\n', UNKNOWN],
  ['another case', '"ping"\n', UNKNOWN],
  ['an object', '{"Ping":null}\n', UNKNOWN],
  ['a list', '["Ping"]\n', UNKNOWN],
  ['an empty line', '\n', UNKNOWN],
  ['half of JSON', '"Ping\n', UNKNOWN],
  ['bytes that are no text', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), UNKNOWN],
  ['a word every object has', '"constructor"\n', UNKNOWN],
  ['a name from the code', 'too_long\n', UNKNOWN],
  ['a payment', '{"NeobankPay":{"bolt11":"x"}}\n', UNKNOWN],
  ['4,096 bytes', `${' '.repeat(4090)}"Ping"\n`, PONG],
  ['4,097 bytes', `${' '.repeat(4091)}"Ping"\n`, TOO_LONG],
  ['megabytes', 'x'.repeat(8_000_000), TOO_LONG],
])('CS3 CS5 %s gets one line, then the connection ends', async (_, bytes, reply) => {
  const client = new RawControl(path);
  client.socket.write(bytes);
  await until(
    'the reply',
    () => client.received === reply,
    () => client.received,
  );
  client.socket.end();
  await client.closed;
  expect({ received: client.received, shutdowns }).toEqual({ received: reply, shutdowns: 0 });
});

it('CS3 a command may come in parts, and end with the connection instead of a newline', async () => {
  const client = new RawControl(path);
  for (const part of ['"Pi', 'ng', '"']) {
    await new Promise((resolve) => client.socket.write(part, resolve));
  }
  client.socket.end();
  await client.closed;
  expect(client.received).toBe(PONG);
});

it('CS3 a connection that ends without a command gets no reply', async () => {
  const client = new RawControl(path);
  client.socket.end();
  await client.closed;
  expect(client.received).toBe('');
});

it('CS4 a Shutdown counts also when its sender has left', async () => {
  const client = new RawControl(path);
  client.socket.write('"Shutdown"\n', () => client.socket.destroy());
  await until('the shutdown', () => shutdowns === 1);
});

it('CS5 a client that sends no whole command for 5 s gets an error, and its connection ends', async () => {
  const client = new RawControl(path);
  client.socket.write('"Pi');
  await until('it is connected', () => clock.pending === 1);
  clock.advance(TIME_LIMIT_MS - 1);
  expect(await exchangeOpen(path)).toBe(PONG);
  expect(client.received).toBe('');
  clock.advance(1);
  await client.closed;
  expect(client.received).toBe('{"Error":"no command within 5 s"}\n');
});

it('CS5 a client that keeps sending after the reply is cut after 5 s', async () => {
  const client = new RawControl(path, { stubborn: true });
  client.socket.write('"Ping"\n');
  await until('the reply', () => client.received === PONG);
  await new Promise((resolve) => client.socket.write('"Shutdown"\n', resolve));
  clock.advance(TIME_LIMIT_MS - 1);
  expect(clock.pending).toBe(1);
  clock.advance(1);
  await until('the server has closed it', () => {
    client.socket.write('more');
    return client.socket.destroyed;
  });
  expect(shutdowns).toBe(0);
});

it('CS5 B4-9 silent clients in any number keep no other from its reply; the oldest are closed', async () => {
  const silent: RawControl[] = [];
  const isOpen = (client: RawControl) => !client.socket.destroyed;
  for (let n = 0; n < 3 * OPEN_AT_ONCE; n += 1) {
    silent.push(new RawControl(path));
    const expected = Math.min(n + 1, OPEN_AT_ONCE);
    await until(
      'it is connected',
      () => silent.filter(isOpen).length === expected && clock.pending === expected,
    );
  }
  const open = silent.map(isOpen);
  expect(open).toEqual(silent.map((_, n) => n >= 2 * OPEN_AT_ONCE));
  const answers = await Promise.all(Array.from({ length: 8 }, async () => exchangeOpen(path)));
  expect(answers).toEqual(answers.map(() => PONG));
  for (const { socket } of silent) socket.destroy();
});

it('CS2 B4-9 the socket has mode 0600 under any umask, which stays as it was', async () => {
  const before = process.umask(0o000);
  const other = join(root, 'other.sock');
  const closeOther = await listenForControl({
    path: other,
    clock,
    handle: () => ({ reply: 'Ok' }),
    failed: () => undefined,
  });
  const after = process.umask(before);
  expect({ mode: statSync(other).mode & 0o777, after }).toEqual({ mode: 0o600, after: 0o000 });
  closeOther();
  expect(existsSync(other)).toBe(false);
});

/** A Ping of a client that keeps its side open until it has the reply. */
async function exchangeOpen(to: string): Promise<string> {
  return exchange(to, '"Ping"\n');
}
