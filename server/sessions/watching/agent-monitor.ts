/**
 * The state of every session's agent, kept current while the session lives: one timer for all of
 * them, the client's records watched as a hint, hooks as they arrive. Each change of state is an
 * event.
 */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { AgentRecords } from '../../agents/records/agent-records.ts';
import type { HookEvent } from '../../agents/hooks/hook-event.ts';
import type { StatusLine } from '../../agents/records/status-line.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Polls } from '../../lib/polls.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import { within } from '../../lib/within.ts';
import type { AgentDetails } from './agent-details.ts';
import { AgentWatch } from './agent-watch.ts';
import type { ProbedAgent } from './agent-watch-options.ts';
import type { ProbedForeground } from '../typing/may-type.ts';
import type { ClientVersions } from './client-versions.ts';
import type { ForegroundProgram } from '../typing/program.ts';
import type { Receiver } from '../typing/receipt.ts';
import type { Sessions } from '../sessions.ts';

/** Called when the agent of a session changes state; null when the session has ended. */
export type AgentListener = (session: string, agent: AgentState | null) => void;

/** Called after each probe that finds an agent in the foreground. */
export type ProbeListener = (session: string, agent: ProbedAgent) => void;

export interface AgentMonitorOptions {
  log: EventLog;
  sessions: Sessions;
  records: AgentRecords;
  versions: ClientVersions;
  clock: Clock;
  logger: Log;
  pollMs: number;
}

/** The round continues without a terminal that has not answered by then. */
const ROUND_PROBE_MS = 1_000;
/** Most of a probe is waiting for tmux, and people wait for the first round. */
const FIRST_ROUND_LANES = 8;

export class AgentMonitor {
  readonly #options: AgentMonitorOptions;
  readonly #watches = new Map<string, AgentWatch>();
  readonly #listeners = new Set<AgentListener>();
  readonly #probeListeners = new Set<ProbeListener>();
  /** Sessions with an unfinished probe of a round. */
  readonly #open = new Set<string>();
  readonly #polls: Polls;
  #unwatchRecords: () => void = () => undefined;
  #disposed = false;

  constructor(options: AgentMonitorOptions) {
    this.#options = options;
    this.#polls = new Polls(options.clock);
    options.sessions.onClosed((session) => this.#forget(session));
    options.versions.onChange(() => void this.#round(1));
  }

  /** Probes every session now and then periodically, until disposed. */
  start(): void {
    // A client writes its record right at the change: no need to wait for the next round.
    this.#unwatchRecords = this.#options.records.watch((pid) => this.#hint(pid));
    const round = async (lanes: number) => {
      await this.#round(lanes).catch((error: unknown) => {
        this.#options.logger.error({ err: error }, 'cannot check the agents');
      });
    };
    void round(FIRST_ROUND_LANES);
    this.#polls.repeat(this.#options.pollMs, async () => round(1));
  }

  /** Null while no agent has been seen. */
  agent(session: string): AgentState | null {
    return this.#watches.get(session)?.state ?? null;
  }

  /** Null while no agent has been seen. */
  details(session: string): AgentDetails | null {
    return this.#watches.get(session)?.details ?? null;
  }

  /** Read now; null where no client of ours writes one. */
  statusLine(session: string): StatusLine | null {
    return this.#watches.get(session)?.statusLine() ?? null;
  }

  onChange(listener: AgentListener): void {
    this.#listeners.add(listener);
  }

  onProbe(listener: ProbeListener): void {
    this.#probeListeners.add(listener);
  }

  /** A supervisor knows which process is the agent, and where its status line is kept. */
  expect(session: string, process: ProcessIdentity, statusLineFile: string): void {
    this.#watch(session).expect(process, statusLineFile);
  }

  handleHook(session: string, event: HookEvent): void {
    this.#watch(session).handleHook(event);
  }

  /** A fresh probe, including the screen. */
  async probe(session: string): Promise<AgentState | null> {
    const watch = this.#watch(session);
    await watch.probe(true);
    return watch.state;
  }

  async foreground(session: string): Promise<ProbedForeground> {
    return this.#options.sessions.has(session)
      ? this.#watch(session).foreground()
      : { kind: 'gone' };
  }

  /** Without a capture, at once; null when the terminal has ended. */
  program(session: string): ForegroundProgram | null {
    return this.#options.sessions.has(session) ? this.#watch(session).program() : null;
  }

  async receiver(session: string): Promise<Receiver> {
    return this.#watch(session).receiver();
  }

  dispose(): void {
    this.#disposed = true;
    this.#polls.cancel();
    this.#unwatchRecords();
    for (const watch of this.#watches.values()) watch.end();
  }

  #hint(pid: number): void {
    for (const [name, watch] of this.#watches) {
      if (watch.program()?.program.pid === pid) void this.#probe(name);
    }
  }

  /** Probes as many at once as there are `lanes`. */
  async #round(lanes: number): Promise<void> {
    const names = this.#options.sessions.openNames().values();
    const lane = async () => {
      for (const name of names) {
        // One that has not answered the last round delays no other.
        if (this.#open.has(name)) continue;
        this.#open.add(name);
        const probe = this.#probe(name).finally(() => this.#open.delete(name));
        await within(this.#options.clock, ROUND_PROBE_MS, probe);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  async #probe(name: string): Promise<void> {
    try {
      await this.#watch(name).probe();
    } catch (error) {
      if (this.#disposed) return;
      this.#options.logger.warn({ err: error, session: name }, 'cannot check a session');
    }
  }

  #watch(session: string): AgentWatch {
    let watch = this.#watches.get(session);
    if (watch === undefined) {
      const { sessions, records, clock, versions } = this.#options;
      const terminal = {
        foreground: () => sessions.foreground(session),
        snapshot: async () => sessions.snapshot(session),
        changedAt: () => sessions.changedAt(session),
      };
      const changed = (agent: AgentState | null) => this.#changed(session, agent);
      const probed = (agent: ProbedAgent) => {
        for (const listener of this.#probeListeners) listener(session, agent);
      };
      const careful = (version: string | null) => versions.careful(version);
      watch = new AgentWatch({ terminal, records, clock, careful, changed, probed });
      // The end of a session that has already ended would not be reported again.
      if (sessions.has(session)) this.#watches.set(session, watch);
    }
    return watch;
  }

  #forget(session: string): void {
    this.#watches.get(session)?.end();
    this.#watches.delete(session);
    for (const listener of this.#listeners) listener(session, null);
  }

  #changed(session: string, agent: AgentState | null): void {
    const { log, sessions, logger } = this.#options;
    if (this.#disposed || !sessions.has(session)) return;
    try {
      log.write((append) => append({ type: 'session.agent_changed', session, data: { agent } }));
    } catch (error) {
      logger.error({ err: error, session }, 'cannot store an agent state change');
    }
    for (const listener of this.#listeners) listener(session, agent);
  }
}
