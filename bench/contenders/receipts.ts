/**
 * What the slowest subscriber has received so far, as the load generator reports it: one number per
 * line, over a separate socket, so that no other event loop delays it.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The socket's name in the contender's directory. */
export const RECEIPTS = 'receipts';

export class Receipts {
  #seen = 0;
  #rest = '';
  #changed: () => void = () => undefined;
  #server = createServer((socket) => {
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#receive(String(text)));
  });

  /** Events that every subscriber has received. */
  get seen(): number {
    return this.#seen;
  }

  async listen(path: string): Promise<void> {
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  /** Throws when nothing arrives for 10 s. */
  async reach(events: number): Promise<void> {
    while (this.#seen < events) {
      const before = this.#seen;
      await this.change();
      if (this.#seen === before) throw new Error(`only ${this.#seen} of ${events} events arrived`);
    }
  }

  /** Waits for the next report of the generator, for at most 10 s. */
  async change(): Promise<void> {
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, 10_000);
      this.#changed = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    const last = lines.at(-1);
    if (last === undefined) return;
    this.#seen = Number(last);
    this.#changed();
  }
}
