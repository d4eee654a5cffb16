/**
 * Thousands of subscribers for the cost of their sockets: every byte goes into one shared buffer
 * and is only counted, once the greeting of its contender is over.
 */
import { connect, type Socket } from 'node:net';
import { END_OF_HEAD } from '../contenders/upgrade-request.ts';
import type { Greeting } from '../contenders/contender.ts';
import { clientFrame } from './client-frame.ts';

const BUFFER_BYTES = 256 * 1024;
/** As a client sends it, without a text. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Connections being opened at the same time. */
const AT_ONCE = 100;

export interface SubscriberTarget {
  port: number;
  greeting: Greeting;
}

export class SubscriberSockets {
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #arrived: (bytes: Buffer) => void;
  readonly #sockets: Socket[] = [];
  /** Bytes of events that each subscriber has received. */
  readonly bytes: number[] = [];

  /** `arrived` gets what came, after it was counted; the bytes are only lent. */
  constructor(arrived: (bytes: Buffer) => void) {
    this.#arrived = arrived;
  }

  /** Resolves when every greeting is over. */
  async open(target: SubscriberTarget, count: number): Promise<void> {
    let left = count;
    const openOneByOne = async () => {
      while (left > 0) {
        left -= 1;
        await this.#openOne(target);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openOneByOne));
  }

  /** Call it every 20 seconds in longer measures: bytes are only counted, so no ping is seen. */
  answerPings(): void {
    for (const socket of this.#sockets) socket.write(PONG);
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #openOne({ port, greeting }: SubscriberTarget): Promise<void> {
    const index = this.bytes.push(0) - 1;
    await new Promise<void>((resolve, reject) => {
      const steps = [...greeting.steps];
      let heard = '';
      const receive = (text: string) => {
        heard += text;
        for (let step = steps[0]; step !== undefined; step = steps[0]) {
          const at = heard.indexOf(step.until);
          if (at === -1) return;
          if (step.until === END_OF_HEAD && !/^HTTP\/1.1 (101|200) /.test(heard)) {
            reject(new Error(`a subscriber was refused: ${heard.slice(0, 200)}`));
          }
          heard = heard.slice(at + step.until.length);
          steps.shift();
          if (step.say !== undefined) socket.write(clientFrame(step.say));
        }
        this.bytes[index] = heard.length;
        resolve();
      };
      const callback = (length: number): boolean => {
        if (steps.length > 0) receive(this.#buffer.toString('latin1', 0, length));
        else {
          this.bytes[index] = (this.bytes[index] ?? 0) + length;
          this.#arrived(this.#buffer.subarray(0, length));
        }
        return true;
      };
      const socket = connect({
        host: '127.0.0.1',
        port,
        noDelay: true,
        onread: { buffer: this.#buffer, callback },
      });
      this.#sockets.push(socket);
      socket.on('error', reject);
      socket.on('close', () => (this.bytes[index] = NaN));
      socket.on('connect', () => socket.write(greeting.request));
    });
  }
}
