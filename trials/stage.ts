/**
 * A daemon, a real client behind the model, and the record of what was true and what was shown. Disposing ends every process and removes every file.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentGroup, agentGroup, type AgentState } from '../shared/schema/agent-state.ts';
import type { AttentionItem } from '../shared/schema/attention.ts';
import { plainLines } from '../server/terminals/screen-lines.ts';
import { writeClientHome } from './client/client-home.ts';
import { type ClientRecord, readClientRecord } from './client/client-record.ts';
import { writeClientSettings } from './client/client-settings.ts';
import { Daemon, type Json } from './daemon.ts';
import { Model, type ModelEdge } from './model/model.ts';
import type { Change, Sighting } from './record/confusion.ts';

const POLL_EVERY_MS = 100;
/** Longer than any retry of the client takes, and than it waits after a limit was reset. */
const PATIENCE_MS = 300_000;

export interface Client {
  version: string;
  program: string;
}

export class Stage {
  readonly client: Client;
  readonly session: string;
  readonly model = new Model((edge) => this.#onEdge(edge));
  readonly work: string;
  readonly changes: Change[] = [];
  readonly sightings: Sighting[] = [];
  readonly #root = mkdtempSync(join(tmpdir(), 'lwt-'));
  readonly daemon: Daemon;
  readonly #ended = new AbortController();
  #workingSubagents = 0;
  #closing: Promise<void> | null = null;

  /** `session`: in which the client runs. */
  constructor(client: Client, session = 'web') {
    this.client = client;
    this.session = session;
    for (const name of ['run', 'work', 'bin', 'user']) mkdirSync(join(this.#root, name));
    this.work = join(this.#root, 'work');
    this.daemon = new Daemon(join(this.#root, 'home'), {
      PATH: `${join(this.#root, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: join(this.#root, 'user'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      LOOPWATCH_ROOTS: this.work,
      XDG_RUNTIME_DIR: join(this.#root, 'run'),
    });
  }

  /** Starts model and daemon, and opens the session in a directory that the client trusts. */
  async begin(cwd = this.work): Promise<void> {
    const home = join(this.#root, 'user');
    const places = { home, bin: join(this.#root, 'bin'), projects: [this.work, cwd] };
    writeClientHome(places, this.client.program, await this.model.listen());
    await this.daemon.start();
    await this.send('POST', '/api/sessions', { name: this.session, cwd });
    void this.#watch();
  }

  /** Types its command into the shell of the session. */
  async startClient(mode = 'default'): Promise<void> {
    this.isUnknown();
    const settings = writeClientSettings(this.#root, {
      version: this.client.version,
      session: this.session,
      home: this.daemon.home,
    });
    const command = `claude --permission-mode ${mode} --settings ${settings}`;
    await this.send('POST', this.path('input'), { text: command, submit: true });
    await this.shows('idle');
    this.isTrue('idle');
  }

  /** Of the client, from its own status record. */
  clientPid(): number {
    return this.#record().pid;
  }

  /** Waits until the client has begun another conversation. */
  async begins(act: () => Promise<unknown>): Promise<void> {
    const { sessionId } = this.#record();
    this.isUnknown();
    await act();
    await this.until('another conversation', () => this.#record().sessionId !== sessionId);
    this.isTrue('idle');
  }

  #record(): ClientRecord {
    return readClientRecord(join(this.#root, 'user'));
  }

  /**
   * A person submits a prompt until it is delivered: one for a conversation that ended fails. Of a command
   * of the client, evidence may be missing.
   */
  async prompt(text: string): Promise<void> {
    const arrived = text.startsWith('/') ? ['delivered', 'typed'] : ['delivered'];
    for (let delivery = ''; !arrived.includes(delivery);) {
      const { id } = await this.send('POST', this.path('input'), { text, submit: true });
      delivery = await this.until(`"${text}" is delivered`, async () => {
        const { inputs } = (await this.send('GET', this.path('inputs'))) as {
          inputs: { id: number; delivery: string }[];
        };
        const input = inputs.find((each) => each.id === id);
        return [...arrived, 'failed'].find((end) => end === input?.delivery);
      });
    }
  }

  /** Waits for the request of the client for that tool, and answers it. */
  async answer(tool: string, answer: Json): Promise<void> {
    const item = await this.until(`a request for ${tool}`, async () => {
      const { items } = (await this.send('GET', '/api/attention')) as { items: AttentionItem[] };
      return items.find(({ request }) => request?.tool === tool);
    });
    await this.send('POST', `/api/attention/${item.id}/answer`, answer);
  }

  /** What is true from now on, as it was caused. */
  isTrue(group: AgentGroup): void {
    if (this.changes.at(-1)?.group === group) return;
    this.changes.push({ atMs: performance.now(), group });
  }

  /** Until the next change nothing is judged. */
  isUnknown(): void {
    this.changes.push({ atMs: performance.now(), group: null });
  }

  /** Waits until the daemon shows it. */
  async shows(group: AgentGroup): Promise<void> {
    await this.until(`the state ${group}`, () => this.sightings.at(-1)?.group === group);
  }

  /** Waits until all arranged replies were given, the turn is over, and the daemon shows it. */
  async settles(): Promise<void> {
    const isOver = () => this.model.isAnswered && this.changes.at(-1)?.group === 'idle';
    await this.until('the end of the turn', isOver);
    await this.shows('idle');
  }

  /** Waits until a row of the terminal has the text. */
  async showsText(text: string): Promise<void> {
    await this.until(`"${text}" on the screen`, async () => (await this.#screen()).includes(text));
  }

  /** Of the session, or of something of it. */
  path(rest = ''): string {
    return `/api/sessions/${this.session}${rest === '' ? '' : `/${rest}`}`;
  }

  async agent(): Promise<AgentState | null> {
    return (await this.send('GET', this.path()))['agent'] as AgentState | null;
  }

  async send(method: string, path: string, body?: Json): Promise<Json> {
    return this.daemon.send(method, path, body);
  }

  /** Polls; fails with the screen when nothing comes of it. */
  async until<Found>(
    what: string,
    poll: () => Found | Promise<Found>,
  ): Promise<NonNullable<Found>> {
    for (const since = performance.now(); ;) {
      const found = await poll();
      if (found) return found;
      if (performance.now() - since > PATIENCE_MS) {
        throw new Error(`waited in vain: ${what}\n${await this.#screen()}`);
      }
      await pause(POLL_EVERY_MS);
    }
  }

  /** Once, even when a trial that is ended disposes it while its part still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    if (!this.daemon.isRunning) await this.daemon.start();
    await this.send('DELETE', this.path()).catch(() => undefined);
    await this.daemon.end('SIGTERM');
    this.model.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * A tool that asks waits for a person. A text is the end of the turn, unless a subagent still works:
   * its end brings another request.
   */
  #onEdge(edge: ModelEdge): void {
    if (edge.isSubagent) this.#workingSubagents += edge.edge === 'asked' ? 1 : -1;
    if (edge.edge === 'asked') return this.isTrue('working');
    if (edge.isSubagent) return;
    if (edge.edge === 'left') {
      // A person stopped it; one that was killed leaves too.
      if (this.changes.at(-1)?.group === 'working') this.isTrue('idle');
      return;
    }
    const { reply } = edge;
    if (reply.kind === 'text' && this.#workingSubagents === 0) this.isTrue('idle');
    if (reply.kind === 'tool' && reply.asks) this.isTrue('waiting');
    if (reply.kind === 'error') this.isTrue(reply.leaves);
  }

  async #watch(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const agent = await this.agent().catch(() => undefined);
      const group =
        agent === undefined ? null : agent === null ? 'exited' : agentGroup(agent.state);
      this.sightings.push({ atMs: performance.now(), group });
      await pause(POLL_EVERY_MS);
    }
  }

  async #screen(): Promise<string> {
    const screen = await this.send('GET', this.path('screen')).catch(() => ({ lines: [] }));
    return plainLines(screen['lines'] as string[])
      .join('\n')
      .trimEnd();
  }
}
