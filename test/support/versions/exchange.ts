/** What a person does on another host: reads, changes, terminals and answers. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { askPerson, BASH_REQUEST, decisionOf } from '../agents/need-person.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';
import { rowsOf, runInShell } from '../terminals/terminal-view.ts';
import { KeyedClient } from '../transport/keyed-client.ts';
import type { VersionHost } from './version-host.ts';

const LISTS = [
  '/api/sessions',
  '/api/task-auto',
  '/api/v1/tasks?limit=1000',
  '/api/v1/prompts?limit=1000',
  '/api/attention?state=all',
  '/api/runs',
  '/api/people',
  '/api/projects/setups',
];

export class Exchange {
  /** Of the host that is shown, through the one that asks. */
  readonly through: () => ApiClient;
  /** The same host without one between. */
  readonly direct: () => ApiClient;
  readonly #asks: VersionHost;
  readonly #shown: VersionHost;
  #lines = 0;

  constructor({ asks, shown }: { asks: VersionHost; shown: VersionHost }) {
    this.#asks = asks;
    this.#shown = shown;
    this.through = () => asks.asks(shown);
    this.direct = () => shown.asks(shown);
  }

  /** The name of the session and of the prompt that are created. */
  get session(): string {
    return `from-${this.#asks.name}`;
  }

  /** A change that is repeated with its key, at once and later, is done once. */
  async changesOnce(): Promise<void> {
    const cwd = this.#shown.world.taskDir(this.session);
    await this.#once('/api/sessions', { name: this.session, cwd });
    await this.#once('/api/v1/prompts', { title: this.session, content: 'Greet by name.' });
    expect(await this.#created()).toEqual([1, 1]);
  }

  /** The answer of before is given again: nothing is done. */
  async repeatsLater(): Promise<void> {
    const cwd = join(this.#shown.world.root, 'tasks', this.session);
    const body = { name: this.session, cwd };
    const again = await this.#post('/api/sessions', body);
    expect(again).toMatchObject({ status: 201, replayed: 'true' });
    expect(await this.#created()).toEqual([1, 1]);
  }

  /** A line typed there runs there, and its screen comes back. */
  async types(): Promise<void> {
    await this.#isOnScreen('its prompt', (rows) => rows.join('') !== '');
    await this.#asksShell(`kept=${this.session}; echo do""ne; `);
    await this.#isOnScreen('the line', (rows) => rows.includes('done'));
  }

  /** The shell is still the one of `types`. */
  async keepsShell(): Promise<void> {
    await this.#asksShell('');
  }

  /** An agent there asks, and gets the answer that was given here. */
  async answers(): Promise<void> {
    const { world, admin } = this.#shown;
    const { id, answer } = await askPerson(world, admin, `${this.session}-asks`, BASH_REQUEST);
    const path = `/api/attention/${id}/answer`;
    const given = await this.through().send('POST', path, { decision: 'allow' });
    expect(given.status).toBe(200);
    expect(await decisionOf(answer)).toMatchObject({ behavior: 'allow' });
  }

  /** Each list through the other host is the one of the host itself; returns how long they are. */
  async showsLists(): Promise<number> {
    let bytes = 0;
    for (const path of LISTS) {
      const { after, shown } = await until(`${path} is the same twice`, async () => {
        const before = await this.direct().get(path);
        const through = await this.through().get(path);
        const after = await this.direct().get(path);
        const isSettled = JSON.stringify(before) === JSON.stringify(after);
        return isSettled ? { after, shown: through } : null;
      });
      expect([path, shown]).toEqual([path, { ...after, status: 200 }]);
      bytes += JSON.stringify(after.body).length;
    }
    return bytes;
  }

  /** Its shell says what it was given to keep. */
  async #asksShell(first: string): Promise<void> {
    const file = join(this.#shown.world.root, `${this.session}-${(this.#lines += 1)}`);
    // Whole as soon as it is there.
    const line = `${first}echo "$kept" > '${file}.part'; mv '${file}.part' '${file}'`;
    expect(await runInShell(this.through(), this.session, line, file)).toBe(`${this.session}\n`);
  }

  async #isOnScreen(what: string, isThere: (rows: string[]) => boolean): Promise<void> {
    let rows: string[] = [];
    await until(
      `the screen shows ${what}`,
      async () => {
        rows = await rowsOf(this.through(), this.session);
        return isThere(rows);
      },
      () => rows,
    );
  }

  async #once(path: string, body: object): Promise<void> {
    const both = await Promise.all([this.#post(path, body), this.#post(path, body)]);
    // The second may come while the first is being done.
    const statuses = both.map(({ status, code }) => (code === 'in_progress' ? 201 : status));
    expect(statuses).toEqual([201, 201]);
    expect(await this.#post(path, body)).toMatchObject({ status: 201, replayed: 'true' });
  }

  async #post(path: string, body: object) {
    return new KeyedClient(this.through()).post(`${this.session} ${path}`, path, body);
  }

  /** How many sessions and prompts of its name are there. */
  async #created(): Promise<[sessions: number, prompts: number]> {
    const { sessions } = (await this.direct().get('/api/sessions')).body as {
      sessions: { name: string }[];
    };
    const prompts = (await this.direct().get('/api/v1/prompts?limit=1000')).body as unknown as {
      title: string;
    }[];
    return [
      sessions.filter(({ name }) => name === this.session).length,
      prompts.filter(({ title }) => title === this.session).length,
    ];
  }
}
