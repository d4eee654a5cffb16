/** A page that is opened and closed: watches a few screens, attaches to one, reads old ones. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import type { Random } from '../../support/house/random.ts';

const STAYS_MS = [500, 6_000] as const;
const AWAY_MS = [100, 2_000] as const;
const WATCHED = 4;

export class SoakViewer {
  visits = 0;
  screens = 0;
  readonly #api: ApiClient;
  readonly #random: Random;
  readonly #sessions: readonly string[];
  readonly #viewing: Promise<void>;
  #isOver = false;

  constructor(api: ApiClient, random: Random, sessions: readonly string[]) {
    this.#api = api;
    this.#random = random;
    this.#sessions = sessions;
    this.#viewing = this.#view();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#viewing;
  }

  async #view(): Promise<void> {
    while (!this.#isOver) {
      this.visits += 1;
      await this.#visit().catch(() => undefined);
      await pause(this.#random.int(...AWAY_MS));
    }
  }

  async #visit(): Promise<void> {
    const { url, token } = this.#api;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['loopwatch.v1'], {
      headers: { authorization: `Bearer ${token}` },
    });
    // Also when it was refused: a daemon that gets no core may answer too late.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    await Promise.race([once(socket, 'open'), closed]);
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.on('message', (_, isBinary) => {
      this.screens += isBinary ? 0 : 1;
    });
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    const pick = () => this.#random.pick(this.#sessions);
    for (let n = 0; n < WATCHED; n += 1) send({ type: 'watch', session: pick() });
    if (this.#random.chance(0.3))
      send({ type: 'attach', session: pick(), cols: 100, rows: 30, control: false });
    await this.#api.get(`/api/sessions/${pick()}/screen`);
    await this.#api.get(`/api/sessions/${pick()}/screens`);
    await pause(this.#random.int(...STAYS_MS));
    socket.terminate();
    await closed;
  }
}
