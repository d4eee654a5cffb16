/**
 * A daemon, a real client behind the model, and the record of what was true and what was shown. Disposing ends every process and removes every file.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentCause,
  type AgentGroup,
  agentGroup,
  type AgentState,
} from '../shared/schema/agents/agent-state.ts';
import type { AttentionItem } from '../shared/schema/attention/attention.ts';
import { execFile } from '../server/lib/processes/exec-file.ts';
import { plainLines } from '../server/terminals/screen-lines.ts';
import { writeClientHome } from './client/client-home.ts';
import { countPrompts } from './client/count-prompts.ts';
import { type ClientRecord, readClientRecord } from './client/client-record.ts';
import type { Client } from './client/install-client.ts';
import { writeClientSettings } from './client/client-settings.ts';
import { Daemon, type Json } from './daemon.ts';
import { Model } from './model/model.ts';
import type { Sighting } from './record/confusion.ts';
import { Truth } from './record/truth.ts';

const POLL_EVERY_MS = 100;
/** Longer than any retry of the client takes, and than it waits after a limit was reset. */
const PATIENCE_MS = 300_000;

export class Stage {
  readonly client: Client;
  readonly session: string;
  readonly #ended = new AbortController();
  readonly truth = new Truth(this.#ended.signal);
  readonly model = new Model((edge) => this.truth.onEdge(edge));
  readonly work: string;
  readonly sightings: Sighting[] = [];
  readonly #root = mkdtempSync(join(tmpdir(), 'lwt-'));
  readonly daemon: Daemon;
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
    await this.open(cwd);
    void this.#watch();
  }

  /** Opens the session, once more after it was lost. */
  async open(cwd = this.work): Promise<void> {
    await this.send('POST', '/api/sessions', { name: this.session, cwd });
  }

  async hasSession(): Promise<boolean> {
    return this.send('GET', this.path()).then(
      () => true,
      () => false,
    );
  }

  /** Types its command into the shell of the session, after `variables` such as `A=1`. */
  async startClient(mode = 'default', variables = ''): Promise<void> {
    this.truth.isUnknown();
    const settings = writeClientSettings(this.#root, {
      version: this.client.version,
      session: this.session,
      home: this.daemon.home,
    });
    // What a killed client had drawn beside the new prompt would pass for a draft.
    const command = `clear; ${variables} claude --permission-mode ${mode} --settings ${settings}`;
    await this.send('POST', this.path('input'), { text: command, submit: true });
    await this.shows('idle');
    this.truth.isTrue('idle');
  }

  /** Ends the client, and starts another in the same shell. */
  async restartClient(mode = 'default', variables = ''): Promise<void> {
    this.truth.isUnknown();
    process.kill(this.clientPid(), 'SIGKILL');
    await this.shows('exited');
    await this.startClient(mode, variables);
  }

  /** Of the client, from its own status record. */
  clientPid(): number {
    return this.#record().pid;
  }

  /** Waits until the client has begun another conversation. */
  async begins(act: () => Promise<unknown>): Promise<void> {
    const { sessionId } = this.#record();
    this.truth.isUnknown();
    await act();
    await this.until('another conversation', () => this.#record().sessionId !== sessionId);
    this.truth.isTrue('idle');
  }

  /** How often that prompt is in the conversations of the client, which it writes itself. */
  heard(text: string): number {
    return countPrompts(join(this.#root, 'user'), text);
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

  /** Waits until the daemon shows it. */
  async shows(group: AgentGroup): Promise<void> {
    await this.until(`the state ${group}`, () => this.sightings.at(-1)?.group === group);
  }

  /** Waits until the daemon names that cause. */
  async hasCause(cause: AgentCause): Promise<void> {
    await this.until(`the cause ${cause}`, async () => {
      const agent = await this.agent().catch(() => null);
      return agent?.cause === cause;
    });
  }

  /** Waits until all arranged replies were given, the turn is over, and the daemon shows it. */
  async settles(): Promise<void> {
    const isOver = () => this.model.isAnswered && this.truth.changes.at(-1)?.group === 'idle';
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

  /** Of the terminal server of the session; its socket is in the directory of this trial. */
  async terminalServer(): Promise<number> {
    const { stdout } = await execFile('pgrep', ['-f', `^tmux.*${this.#root}.*start-server`], {
      timeoutMs: 10_000,
    });
    const [pid] = stdout.split('\n').map(Number);
    if (pid === undefined || pid === 0) throw new Error('no terminal server');
    return pid;
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
        const shown = this.sightings.at(-1)?.group ?? 'nothing';
        throw new Error(`waited in vain: ${what}; shown: ${shown}\n${await this.#screen()}`);
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
