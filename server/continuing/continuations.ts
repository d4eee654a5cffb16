/**
 * Continues found sessions in sessions of Loopwatch: never while another client has the conversation
 * open, and once for each conversation at a time.
 */
import type { Continuation, ContinueFound } from '../../shared/schema/agents/continuation.ts';
import { suggestName } from '../../shared/rules/work/suggest-name.ts';
import type { Agents } from '../agents/agents.ts';
import type { LaunchFiles } from '../agents/launch/launch-files.ts';
import type { EventLog } from '../events/event-log.ts';
import type { BackgroundClient } from '../found/background-client.ts';
import type { EndedBackgrounds } from '../found/ended-background.ts';
import { endedSession } from '../found/ended-session.ts';
import type { FoundSessions } from '../found/found-sessions.ts';
import type { ListedSession } from '../found/listed-session.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isAlive, type ProcessIdentity } from '../lib/processes/process-identity.ts';
import { randomId } from '../lib/random-id.ts';
import { Serial } from '../lib/serial.ts';
import type { SessionRecord } from '../sessions/session-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import { type LaunchCommand, launchAgent } from '../supervision/terminal/agent-launch.ts';
import type { TerminalAgent } from '../supervision/terminal/terminal-agent.ts';
import { ContinueFactsReader, type Original } from './continue-facts.ts';
import { decideContinuation } from './decide-continuation.ts';

/** After `claude stop`, which waits for it. */
const END_MS = 10_000;
const END_POLL_MS = 100;
const UNKNOWN = 'no such session; list them with: loopwatch session ls --all';

export interface ContinuationOptions {
  found: FoundSessions | null;
  background: BackgroundClient;
  ended: Pick<EndedBackgrounds, 'get'>;
  log: EventLog;
  sessions: Sessions;
  monitor: AgentMonitor;
  agents: Agents;
  launchFiles: LaunchFiles;
  clock: Clock;
  startTimeoutMs: number;
  roots: readonly string[];
  /** Whether sessions in this directory are left alone. */
  isIgnored: (cwd: string) => boolean;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

export class Continuations {
  readonly #options: ContinuationOptions;
  readonly #reader: ContinueFactsReader;
  readonly #serial = new Serial();
  readonly #stopping = new AbortController();
  /** Sessions that were opened for a conversation: its client keeps no record in its first moments. */
  readonly #opened = new Map<string, string>();

  constructor(options: ContinuationOptions) {
    this.#options = options;
    this.#reader = new ContinueFactsReader(options);
    options.sessions.onClosed((session) => {
      for (const [conversation, name] of this.#opened) {
        if (name === session) this.#opened.delete(conversation);
      }
    });
  }

  /** `id`: of a session, its pid, or that of a background session that has ended. Throws `found_unknown`. */
  async read(id: string): Promise<Continuation> {
    return this.#decide(await this.#original(id));
  }

  /** Returns the new session. Throws `found_unknown`, `not_continuable` and what opening one throws. */
  async open(id: string, wanted: ContinueFound, author: string): Promise<SessionRecord> {
    const key = (await this.#original(id)).conversation ?? id;
    return this.#serial.run(key, async () => this.#open(await this.#original(id), wanted, author));
  }

  dispose(): void {
    this.#stopping.abort();
  }

  async #original(id: string): Promise<Original> {
    const { found, log, isIgnored, ended } = this.#options;
    if (found === null) throw new AppError('found_unknown', UNKNOWN);
    const live = found.list().find((each) => each.id === id || String(each.identity.pid) === id);
    const known = live ?? endedSession(log, id) ?? (await ended.get(id));
    if (known === null || isIgnored(known.cwd)) throw new AppError('found_unknown', UNKNOWN);
    const client = 'client' in known ? known.client : 'claude';
    return { client, conversation: known.conversation, cwd: known.cwd, live: live ?? null };
  }

  async #decide(original: Original): Promise<Continuation> {
    const opened = this.#opened.get(original.conversation ?? '') ?? null;
    return decideContinuation(await this.#reader.read(original, opened));
  }

  async #open(original: Original, { name, how }: ContinueFound, author: string) {
    const state = await this.#decide(original);
    const { conversation, live } = original;
    if (how === 'attach') {
      const job = live?.job ?? null;
      if (state.no_attach !== null || job === null)
        throw refusal(state.no_attach ?? '', 'not_attachable');
      const line = () => this.#options.agents.attachLine(job);
      return this.#launch(original, { name, how, line }, author);
    }
    if (state.blocked !== null || conversation === null)
      throw refusal(state.why ?? '', state.blocked ?? 'conversation_unknown', state.session);
    if (state.needs_stop && how !== 'stop')
      throw refusal(
        'it still runs in the background; end it there first with --stop',
        'needs_stop',
      );
    if (live !== null) await this.#stop(original, live);
    const line = (flags: string) => this.#options.agents.resumeLine(conversation, flags);
    return this.#launch(original, { name, how, line }, author);
  }

  async #stop(original: Original, { job, identity }: ListedSession): Promise<void> {
    const { background, clock, found } = this.#options;
    await background.stop(job ?? '');
    const deadline = clock.monotonic() + END_MS;
    while (isAlive(identity) && clock.monotonic() < deadline)
      await clock.sleep(END_POLL_MS, this.#stopping.signal);
    if (isAlive(identity)) throw refusal('it did not end after claude stop', 'open');
    await found?.scan();
    // Another client may have opened it in the meantime.
    const now = await this.#decide({ ...original, live: null });
    if (now.blocked !== null) throw refusal(now.why ?? '', now.blocked, now.session);
  }

  async #launch(
    { conversation, cwd }: Original,
    { name, how, line }: Pick<ContinueFound, 'name' | 'how'> & Pick<LaunchCommand, 'line'>,
    author: string,
  ): Promise<SessionRecord> {
    const { sessions, monitor, launchFiles, log, agents: _, ...options } = this.#options;
    const taken = sessions.list().map((each) => each.name);
    const session = await sessions.create(
      name ?? (suggestName(cwd, taken) || suggestName('session', taken)),
      cwd,
      false,
      author,
    );
    const data = { conversation, how, author };
    log.write((append) => append({ type: 'session.continued', session: session.name, data }));
    if (conversation !== null && how !== 'attach') this.#opened.set(conversation, session.name);
    const agent: TerminalAgent = {
      sessionName: session.name,
      runId: randomId(),
      agent: 'claude',
      launchCount: 1,
      process: null,
      phase: 'launching',
      announced: false,
    };
    const command = { directory: session.cwd, permissions: () => null, line, prompt: null };
    const launch = { agent, command, wanted: () => true, shown: () => false };
    const { signal } = this.#stopping;
    const abandon = async () => {
      launchFiles.end(agent.runId, null);
      // Its name may be another's by now.
      const now = sessions.list().find((each) => each.name === session.name);
      if (now?.created_at === session.created_at) await sessions.close(session.name, author);
    };
    const launchOptions = { ...options, sessions, monitor, launchFiles, signal };
    const outcome = await launchAgent(launch, launchOptions).catch(async (error: unknown) => {
      if (!signal.aborted) await abandon();
      throw error;
    });
    if (!outcome.ok) {
      await abandon();
      throw new AppError('agent_not_started', outcome.error);
    }
    this.#follow(agent, outcome.process);
    return session;
  }

  /** Its files stay as long as its client. */
  #follow({ sessionName, runId }: TerminalAgent, client: ProcessIdentity | null): void {
    const { monitor, launchFiles } = this.#options;
    launchFiles.end(runId, client);
    if (client !== null) monitor.expect(sessionName, client, launchFiles.statusLineFile(runId));
  }
}

function refusal(why: string, reason: string, session: string | null = null): AppError {
  return new AppError('not_continuable', `it cannot be continued: ${why}`, {
    reason,
    ...(session === null ? {} : { session }),
  });
}
