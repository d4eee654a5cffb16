/** Plays a plan of requests on one socket and parses the answers from its bytes. */
import { connect, type Socket } from 'node:net';
import { type ConnectionPlan, type Exchange, ticks } from '../events/exchange-plan.ts';
import { until } from '../house/until.ts';

export interface Played {
  /** Complete answers in order, each as status and body. */
  answers: string[];
  /** The server ended the connection. */
  isClosed: boolean;
  /** The client did. */
  isAborted: boolean;
}

export async function playConnection(url: string, plan: ConnectionPlan): Promise<Played> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const received: Buffer[] = [];
  const seen = { answers: [] as string[], isClosed: false, isAborted: false };
  socket.on('data', (data) => {
    received.push(data);
    seen.answers = wholeAnswers(Buffer.concat(received).toString('latin1'));
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (seen.isClosed = !seen.isAborted));
  try {
    for (const [index, exchange] of plan.exchanges.entries()) {
      if (!(await send(socket, exchange))) {
        seen.isAborted = true;
        return seen;
      }
      const isAnswered = () => seen.answers.length > index || seen.isClosed;
      if (!plan.pipelined) await until(`answer ${index} to ${JSON.stringify(plan)}`, isAnswered);
    }
    const isDone = () => seen.answers.length === plan.exchanges.length || seen.isClosed;
    await until(`every answer to ${JSON.stringify(plan)}`, isDone);
    return { ...seen };
  } finally {
    seen.isAborted ||= !seen.isClosed;
    socket.destroy();
  }
}

/** False if the client disconnected on the way. */
async function send(socket: Socket, exchange: Exchange): Promise<boolean> {
  const { behavior, framing, size, pieces, abortAfter, deafTurns } = exchange;
  const isChunked = framing === 'chunked';
  if (deafTurns > 0) socket.pause();
  put(
    socket,
    `POST /${behavior} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      (framing === 'expect' ? 'Expect: 100-continue\r\n' : '') +
      (isChunked ? 'Transfer-Encoding: chunked\r\n\r\n' : `Content-Length: ${size}\r\n\r\n`),
  );
  for (let piece = 0; piece <= pieces; piece += 1) {
    if (abortAfter === piece) {
      socket.destroy();
      return false;
    }
    const from = Math.floor((size * piece) / pieces);
    const length = piece === pieces ? 0 : Math.floor((size * (piece + 1)) / pieces) - from;
    if (length > 0) {
      const body = 'x'.repeat(length);
      put(socket, isChunked ? `${length.toString(16)}\r\n${body}\r\n` : body);
    }
    await ticks(1);
  }
  if (isChunked) put(socket, '0\r\n\r\n');
  await ticks(deafTurns);
  socket.resume();
  return true;
}

function put(socket: Socket, text: string): void {
  if (socket.writable) socket.write(text, 'latin1');
}

function wholeAnswers(text: string): string[] {
  const answers: string[] = [];
  for (let at = 0; ;) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return answers;
    const head = text.slice(at, headEnd);
    const status = head.slice(9, 12);
    at = headEnd + 4;
    if (status.startsWith('1')) continue;
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const read = length === undefined ? readChunks(text, at) : readSized(text, at, Number(length));
    if (read === null) return answers;
    answers.push(`${status} ${read.body}`);
    at = read.end;
  }
}

function readSized(text: string, at: number, length: number) {
  const end = at + length;
  return end > text.length ? null : { body: text.slice(at, end), end };
}

function readChunks(text: string, start: number) {
  const parts: string[] = [];
  for (let at = start; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const length = parseInt(text.slice(at, lineEnd), 16);
    const part = readSized(text, lineEnd + 2, length + 2);
    if (part === null) return null;
    if (length === 0) return { body: parts.join(''), end: part.end };
    parts.push(part.body.slice(0, -2));
    at = part.end;
  }
}
