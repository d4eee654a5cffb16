/**
 * The example of a supervisor, for authors of the next one: runs a command once each night and
 * retries after a failure. It has states, one effect, a row and recovery; the floor provides the
 * rest.
 */
import type { EventDraft } from '../../shared/schema/events/events.ts';
import { endLeftovers } from '../../server/agents/headless/end-turn.ts';
import { type CheckResult, runChecks } from '../../server/checks/host-check.ts';
import type { Database } from '../../server/db/database.ts';
import type { EventLog } from '../../server/events/event-log.ts';
import type { Clock } from '../../server/lib/clock.ts';
import type { Log } from '../../server/lib/log.ts';
import { QuotaGate } from '../../server/supervision/quota-gate.ts';
import { type Outcome, Supervised } from '../../server/supervision/supervised.ts';

const NIGHT_MS = 24 * 60 * 60_000;
const RETRY_MS = 60_000;
const GRACE_MS = 1_000;

/** A night counts when its command succeeded. */
export type Nightly = { night: number } & (
  { status: 'waiting'; dueMs: number } | { status: 'running' }
);

type Input = { kind: 'tick' } | { kind: 'ran'; result: CheckResult };

type Effect = { kind: 'run' };

/** Pure. */
export function transition(
  before: Nightly,
  input: Input & { wallMs: number },
): Outcome<Nightly, Effect> {
  const { night } = before;
  const outcome = (state: Nightly, ...events: EventDraft[]) => {
    const effects: Effect[] = state.status === 'running' ? [{ kind: 'run' }] : [];
    return { state, events, effects, quota: [] };
  };
  if (before.status === 'waiting' && input.kind === 'tick' && input.wallMs >= before.dueMs) {
    return outcome({ status: 'running', night }, said(`night ${night} begins`));
  }
  if (before.status === 'running' && input.kind === 'ran') {
    const { status } = input.result;
    const dueMs = input.wallMs + (status === 'passed' ? NIGHT_MS : RETRY_MS);
    const next = status === 'passed' ? night + 1 : night;
    return outcome({ status: 'waiting', night: next, dueMs }, said(`night ${night} ${status}`));
  }
  return { state: before, events: [], effects: [], quota: [] };
}

/** A supervisor of the product has its own event types in `shared/schema/events/events.ts`. */
function said(reason: string): EventDraft {
  return { type: 'daemon.stopping', data: { reason } } as unknown as EventDraft;
}

/** One row, the state as JSON. */
export class NightlyStore {
  readonly #raw: Database['raw'];

  constructor({ raw }: Database) {
    this.#raw = raw;
    raw.exec('CREATE TABLE IF NOT EXISTS nightly (name TEXT PRIMARY KEY, state TEXT NOT NULL)');
  }

  load(name: string): Nightly | null {
    const row = this.#raw.prepare('SELECT state FROM nightly WHERE name = ?').pluck().get(name);
    return typeof row === 'string' ? (JSON.parse(row) as Nightly) : null;
  }

  save(name: string, state: Nightly): void {
    this.#raw
      .prepare('INSERT OR REPLACE INTO nightly VALUES (?, ?)')
      .run(name, JSON.stringify(state));
  }
}

export interface NightlyOptions {
  name: string;
  command: string;
  directory: string;
  store: NightlyStore;
  log: EventLog;
  clock: Clock;
  logger: Log;
}

export class NightlySupervisor {
  readonly #options: NightlyOptions;
  readonly #supervised: Supervised<Nightly, Input, Outcome<Nightly, Effect>>;
  readonly #stop = new AbortController();

  constructor(options: NightlyOptions) {
    const { name, store, clock } = options;
    this.#options = options;
    const state = store.load(name) ?? { status: 'waiting', night: 1, dueMs: clock.now() };
    this.#supervised = new Supervised<Nightly, Input, Outcome<Nightly, Effect>>(
      state,
      {
        transition: (before, input) => transition(before, { ...input, wallMs: clock.now() }),
        store: (_append, before, after) => store.save(name, after.state ?? before),
        isWorthStoring: (before, after) => before !== after,
        onStored: () => undefined,
        require: () => undefined,
        dueInMs: (now) => (now.status === 'waiting' ? now.dueMs - clock.now() : null),
        onDue: () => this.#supervised.notice({ kind: 'tick' }),
        perform: () => void this.#run(),
      },
      { ...options, subject: { nightly: name }, quotaKey: name, quota: new QuotaGate(clock) },
    );
  }

  /** Continues what an earlier process left: a run that it began is begun again. */
  async recover(): Promise<void> {
    await endLeftovers(this.#options.name, GRACE_MS, this.#options.clock);
    if (this.#supervised.state?.status === 'running') void this.#run();
    this.#supervised.armDeadline();
  }

  dispose(): void {
    this.#stop.abort();
    this.#supervised.dispose();
  }

  async #run(): Promise<void> {
    const { name, command, directory, clock } = this.#options;
    let result: CheckResult = { status: 'skipped', exit_code: null, output: '', duration_ms: 0 };
    const context = {
      directory,
      checkout: null,
      mark: name,
      environment: process.env,
      clock,
      timeoutMs: NIGHT_MS,
      finished: (_index: number, found: CheckResult) => (result = found),
    };
    await runChecks([{ type: 'regression', name, command }], context, this.#stop.signal);
    if (!this.#stop.signal.aborted) await this.#supervised.submit({ kind: 'ran', result });
  }
}
