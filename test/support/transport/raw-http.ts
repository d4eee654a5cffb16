/** Requests as bytes on a socket: for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export type RawHeaders = readonly (readonly [name: string, value: string])[];

export interface RawRequest {
  method?: string;
  target: string;
  headers: RawHeaders;
  body?: string | Uint8Array;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Reads the answer until the daemon closes or streams. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const socket = openRaw(url, request);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const finish = () => {
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString('latin1')));
    };
    socket.on('data', (data) => {
      chunks.push(data);
      if (isEndless(Buffer.concat(chunks).toString('latin1'))) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });
}

/** Sends raw bytes; returns everything that came back until the connection closed, however it did. */
export async function sendBytes(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = dial(url);
  const chunks: Buffer[] = [];
  socket.on('data', (data) => chunks.push(data));
  // A reset is one way to refuse.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The socket of such a request, for a test that continues on it. */
export function openRaw(url: string, request: RawRequest): Socket {
  const { method = 'GET', target, headers, body = '' } = request;
  const socket = dial(url);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `${method} ${target} HTTP/1.1\r\n${lines}\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
  return socket;
}

function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}

function isEndless(text: string): boolean {
  return /^HTTP\/1\.1 101 /.test(text) || /^content-type: text\/event-stream/im.test(text);
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)?.slice(1) ?? ['', '']);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map(([name = '', value = '']) => [name.toLowerCase(), value]),
    ),
    body: rest.join('\r\n\r\n'),
  };
}
