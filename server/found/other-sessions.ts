/**
 * The live sessions of other clients. Their processes are searched with each slow scan; between two
 * of them only the end of a process and what is appended to a known file count.
 */
import type { FoundEnd } from '../../shared/schema/agents/found.ts';
import { HAS_PROC, isTaken } from '../lib/processes/process-identity.ts';
import type { ListedProcess } from '../lib/processes/processes.ts';
import { ClientProcesses } from './clients/client-processes.ts';
import { Codex } from './clients/codex.ts';
import { Gemini } from './clients/gemini.ts';
import type { OpenSession, OtherClient } from './clients/other-client.ts';
import type { FoundOptions } from './found-options.ts';
import { Origins } from './origins.ts';
import { otherId, OtherSession } from './other-session.ts';

interface OtherListener {
  /** Its state may have changed. */
  looked(session: OtherSession): void;
  ended(session: OtherSession, how: FoundEnd): void;
}

export class OtherSessions {
  readonly #options: FoundOptions;
  readonly #listener: OtherListener;
  readonly #clients: readonly OtherClient[];
  readonly #processes: ClientProcesses;
  readonly #origins: Origins;
  readonly #sessions = new Map<string, OtherSession>();
  #disposed = false;

  constructor(options: FoundOptions, listener: OtherListener) {
    this.#options = options;
    this.#listener = listener;
    this.#clients = [new Codex(options.environment), new Gemini(options.environment)];
    this.#processes = new ClientProcesses(this.#clients, options);
    this.#origins = new Origins(options);
  }

  list(): OtherSession[] {
    return [...this.#sessions.values()];
  }

  /** Null when it is not live. */
  get(id: string): OtherSession | null {
    return this.#sessions.get(id) ?? null;
  }

  /** Searches all living processes, one call after the other. Never rejects. */
  async scan(processes: readonly ListedProcess[]): Promise<void> {
    if (!HAS_PROC || this.#disposed) return;
    try {
      await this.#scan(processes);
    } catch (error) {
      // Out of files: what was known stays true until the next scan.
      this.#options.logger.warn({ err: error }, 'cannot list other clients');
    }
  }

  /** Cheap: no process is searched. */
  poll(): void {
    for (const session of this.list()) {
      if (!isTaken(session.identity.pid)) this.#end(session, 'exited');
      else if (session.readFile()) this.#listener.looked(session);
    }
  }

  /** Those in a directory that is ignored now leave the list. */
  applyIgnored(): void {
    const { isIgnored } = this.#options;
    for (const session of this.list()) if (isIgnored(session.cwd)) this.#end(session, 'ignored');
  }

  dispose(): void {
    this.#disposed = true;
    for (const client of this.#clients) client.dispose();
  }

  async #scan(processes: readonly ListedProcess[]): Promise<void> {
    const { isIgnored } = this.#options;
    const byClient = await this.#processes.of(processes);
    if (this.#disposed) return;
    const open = [...byClient].flatMap(([client, processes]) =>
      client.open(processes).map((each) => ({ client, open: each })),
    );
    this.#origins.keep(new Set(open.map((each) => String(each.open.process.pid))));
    const ids = new Set(open.map((each) => otherId(each.open)));
    for (const session of this.list()) if (!ids.has(session.id)) this.#end(session, 'exited');
    this.applyIgnored();
    for (const each of open) if (!isIgnored(each.open.cwd)) await this.#take(each);
  }

  async #take({ client, open }: { client: OtherClient; open: OpenSession }): Promise<void> {
    const session = this.get(otherId(open)) ?? (await this.#admit(client, open));
    if (session === null) return;
    await session.look(open);
    // It may have ended, or been chosen to be ignored, in the meantime.
    const isGone = !isTaken(session.identity.pid) || this.#options.isIgnored(session.cwd);
    if (this.#disposed || isGone) return;
    this.#sessions.set(session.id, session);
    this.#listener.looked(session);
  }

  async #admit(client: OtherClient, open: OpenSession): Promise<OtherSession | null> {
    const origin = await this.#origins.of(String(open.process.pid), open.process);
    if (origin === null || origin.isOurs) return null;
    return new OtherSession({ client, open, origin }, this.#options);
  }

  #end(session: OtherSession, how: FoundEnd): void {
    this.#sessions.delete(session.id);
    this.#listener.ended(session, how);
  }
}
