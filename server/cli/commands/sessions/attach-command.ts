/** `loopwatch session attach`: the terminal of a session in this terminal. */
import type { Command } from 'commander';
import type { WebSocket } from 'ws';
import {
  type ClientFrame,
  type DetachReason,
  ServerFrame,
} from '../../../../shared/schema/events/protocol.ts';
import { SUBPROTOCOL } from '../../../../shared/rules/wire.ts';
import { type Connection, connection } from '../../client.ts';
import { DETACH_KEYS, DetachKeys } from '../../../../shared/rules/detach-keys.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { print, printRaw } from '../../print/print.ts';

/** Attributes, margins, cursor, mouse and paste modes as a shell expects them; the main screen. */
const RESTORE =
  '\x1b[?1049l\x1b[!p\x1b[0m\x1b[?25h\x1b[?1l\x1b>\x1b[?2004l\x1b[?1000;1002;1003;1006l';

const ENDED: Record<DetachReason, string> = {
  requested: 'detached',
  terminal_gone: 'the terminal ended',
  terminal_replaced: 'the terminal was replaced',
  terminal_failed: 'the terminal cannot be shown',
  daemon_stopping: 'the daemon is stopping; the session may keep running',
};

interface AttachOptions {
  view?: boolean;
  take?: boolean;
}

export function addAttachCommand(program: Command): void {
  program
    .command('attach')
    .description(`attach to the terminal of a session (${DETACH_KEYS} detaches)`)
    .argument('<session>')
    .option('--view', 'attach read-only')
    .option('--take', 'take control from the current typist')
    .action(attach);
}

async function attach(session: string, options: AttachOptions): Promise<void> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new CliError(ExitCode.usage, 'attach requires a terminal; use screen or record instead');
  }
  const socket = await open(connection());
  const restore = () => {
    stdin.setRawMode(false);
    stdin.pause();
    printRaw(`${RESTORE}\x1b[${stdout.rows};1H\r\n`);
  };
  process.once('exit', restore);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => socket.close());
  printRaw(`attaching to ${session}; ${DETACH_KEYS} detaches\r\n`);
  stdin.setRawMode(true);
  const end = await follow(socket, session, options);
  process.removeListener('exit', restore);
  restore();
  if (end.code === ExitCode.ok) print(`loopwatch: ${end.why}`);
  else throw new CliError(end.code, end.why);
}

interface End {
  code: number;
  why: string;
}

/** Carries keys, bytes and sizes until one side ends it. */
async function follow(socket: WebSocket, session: string, options: AttachOptions): Promise<End> {
  const { stdin, stdout } = process;
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  const size = () => ({ cols: stdout.columns, rows: stdout.rows });
  const keys = new DetachKeys();
  let controls = false;
  const ends: End[] = [];
  const close = (code: number, why: string) => {
    ends.push({ code, why });
    socket.close();
  };
  const onKeys = (data: Buffer) => {
    const { pass, detach } = keys.push(data);
    if (pass.length > 0 && controls) socket.send(pass);
    if (detach) close(ExitCode.ok, `detached from ${session}`);
  };
  const onSize = () => {
    if (controls) send({ type: 'resize', ...size() });
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      printRaw(data as Buffer);
      return;
    }
    const frame = ServerFrame.safeParse(JSON.parse((data as Buffer).toString())).data;
    if (frame?.type === 'welcome') {
      const control = options.view !== true;
      send({ type: 'attach', session, ...size(), control, take: options.take === true });
    } else if (frame?.type === 'attached' || frame?.type === 'control') controls = frame.control;
    else if (frame?.type === 'detached') close(ExitCode.failed, ENDED[frame.reason]);
    else if (frame?.type === 'error' && frame.code === 'session_unknown') {
      close(ExitCode.notFound, frame.message);
    } else if (frame?.type === 'error' && frame.code === 'role_too_low') {
      close(ExitCode.failed, frame.message);
    }
  });
  stdin.on('data', onKeys);
  stdout.on('resize', onSize);
  await new Promise<void>((closed) => {
    socket.on('error', () => close(ExitCode.notRunning, 'the daemon does not answer'));
    socket.on('close', () => closed());
  });
  stdin.off('data', onKeys);
  stdout.off('resize', onSize);
  return ends[0] ?? { code: ExitCode.failed, why: 'lost the connection to the daemon' };
}

async function open({ url, token }: Connection): Promise<WebSocket> {
  const { WebSocket } = await import('ws');
  return new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`, [SUBPROTOCOL], {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
}
