/**
 * A WebSocket client on a plain TCP socket, so cheap that a thousand of them measure the edge and
 * not themselves. It reads only whole, unfragmented frames, which is all a daemon sends.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FINAL = 0x80;
const MASKED = 0x80;
const MAX_SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** Why a socket closed: a code of the protocol, or none when the connection was lost. */
export interface SocketEnd {
  code: number | null;
  reason: string;
}

export interface RawSocketOptions {
  port: number;
  token: string;
  /** Sent as soon as the upgrade is answered, before every other frame. */
  frames?: readonly object[];
  /** Gets each text frame. */
  onText?: (text: string) => void;
  /** Leaves pings unanswered. */
  mute?: boolean;
}

export class RawSocket {
  readonly ended: Promise<SocketEnd>;
  /** Of the upgrade; 0 until it was answered. */
  status = 0;
  bytesRead = 0;
  readonly #socket: Socket;
  readonly #onText: (text: string) => void;
  readonly #mute: boolean;
  readonly #waiting: Buffer[] = [];
  #stalls = false;
  #rest: Buffer = Buffer.alloc(0);
  #end: SocketEnd = { code: null, reason: '' };

  constructor({ port, token, frames = [], onText, mute = false }: RawSocketOptions) {
    this.#onText = onText ?? (() => undefined);
    this.#mute = mute;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes) => this.#read(bytes));
    this.ended = new Promise((resolve) => this.#socket.once('close', () => resolve(this.#end)));
    this.#socket.write(upgradeRequest(port, token));
    for (const frame of frames) this.send(frame);
  }

  send(frame: object): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.#write(TEXT, Buffer.from(text));
  }

  /** Reads nothing from now on: data stays in the kernel, and then with the sender. */
  stall(): void {
    this.#stalls = true;
    // The answer to the upgrade must arrive first.
    if (this.status !== 0) this.#socket.pause();
  }

  resume(): void {
    this.#stalls = false;
    this.#socket.resume();
  }

  /** Closes without a close frame; `abruptly` with a reset in place of an orderly end. */
  async cut(abruptly = false): Promise<void> {
    if (abruptly) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
    await this.ended;
  }

  #read(bytes: Buffer): void {
    this.bytesRead += bytes.length;
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.status === 0) {
      const end = data.indexOf('\r\n\r\n');
      if (end === -1) {
        this.#rest = data;
        return;
      }
      this.status = Number(data.toString('latin1', 9, 12));
      data = data.subarray(end + 4);
      for (const frame of this.#waiting.splice(0)) this.#socket.write(frame);
      if (this.#stalls) this.#socket.pause();
    }
    let at = 0;
    for (let next = this.#frame(data, at); next !== null; next = this.#frame(data, at)) at = next;
    this.#rest = data.subarray(at);
  }

  /** Returns where the next frame begins, or null if the one at `at` is not complete. */
  #frame(data: Buffer, at: number): number | null {
    if (data.length < at + 2) return null;
    const short = data.readUInt8(at + 1);
    const head = short === EIGHT_BYTES ? 10 : short === TWO_BYTES ? 4 : 2;
    if (data.length < at + head) return null;
    const size =
      head === 10
        ? Number(data.readBigUInt64BE(at + 2))
        : head === 4
          ? data.readUInt16BE(at + 2)
          : short;
    const end = at + head + size;
    if (data.length < end) return null;
    this.#take(data.readUInt8(at) & 0x0f, data.subarray(at + head, end));
    return end;
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) this.#onText(payload.toString('utf8'));
    else if (opcode === PING && !this.#mute) this.#write(PONG, payload);
    else if (opcode === CLOSE) {
      const code = payload.length < 2 ? null : payload.readUInt16BE(0);
      this.#end = { code, reason: payload.toString('utf8', 2) };
      this.#write(CLOSE, payload);
      this.#socket.end();
    }
  }

  /** Masks with zeros: the bytes stay as they are. */
  #write(opcode: number, payload: Buffer): void {
    if (this.#socket.destroyed) return;
    const size = payload.length;
    const head = Buffer.alloc(size <= MAX_SHORT ? 6 : size < 65_536 ? 8 : 14);
    head.writeUInt8(FINAL | opcode, 0);
    if (size <= MAX_SHORT) head.writeUInt8(MASKED | size, 1);
    else if (size < 65_536) {
      head.writeUInt8(MASKED | TWO_BYTES, 1);
      head.writeUInt16BE(size, 2);
    } else {
      head.writeUInt8(MASKED | EIGHT_BYTES, 1);
      head.writeBigUInt64BE(BigInt(size), 2);
    }
    const frame = Buffer.concat([head, payload]);
    if (this.status === 0) this.#waiting.push(frame);
    else this.#socket.write(frame);
  }
}

function upgradeRequest(port: number, token: string): string {
  return [
    'GET /ws HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: loopwatch.v1',
    `Authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');
}
