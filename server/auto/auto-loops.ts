/** All auto loops: starts one where nothing else runs, finds them, recovers them after a restart. */
import type { AgentKind } from '../../shared/schema/agents/agent-kind.ts';
import type { LoopPermissions } from '../../shared/schema/loops/loop-permissions.ts';
import type { ChangeLimits, RestartAuto, StartAuto } from '../../shared/schema/requests.ts';
import type { Loop } from '../../shared/schema/model.ts';
import { QuotaGate } from '../supervision/quota-gate.ts';
import type { ActionResult } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { toIso } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import { realDirectory } from '../lib/files/real-directory.ts';
import type { Attachments } from '../sessions/showing/attachments.ts';
import { requireReady } from '../supervision/terminal/agent-launch.ts';
import { type AdoptedLoop, adoptLoop } from './executor/adopt-loop.ts';
import { freshLoop } from './machine/fresh-loop.ts';
import { LoopClocks } from './loop-clocks.ts';
import { loopsNow, requireBudget } from './executor/loop-usage.ts';
import { type LoopState, NOTHING } from './machine/loop-state.ts';
import { LoopSupervisor } from './executor/loop-supervisor.ts';
import { HeldLoops } from './held-loops.ts';
import type { LoopSettings } from './loop-settings.ts';
import { noLoopView } from './loop-view.ts';
import { startedEvent } from './executor/started-event.ts';
import { choosePermissions, failedConflicts, requireFree } from './executor/start-checks.ts';
import type { SupervisorOptions } from './executor/supervisor-options.ts';
import { resolveTaskDirectory } from './directory/task-directory.ts';

export interface AutoLoopsOptions extends Omit<
  SupervisorOptions,
  keyof LoopSettings | 'onEnded' | 'onFailed' | 'quota'
> {
  settings: Readonly<Record<AgentKind, LoopSettings>>;
  roots: readonly string[];
  /** A person who has the keys of a terminal keeps a loop from starting there. */
  attachments: Pick<Attachments, 'requireFree'>;
  /** Of the account that loops and tasks share. */
  quota: QuotaGate;
}

export class AutoLoops {
  readonly #options: AutoLoopsOptions;
  readonly #supervisors = new Map<string, LoopSupervisor>();
  readonly #stopped = new AbortController();
  readonly #clocks: LoopClocks;
  readonly #held: HeldLoops;
  readonly #quota: Readonly<Record<AgentKind, QuotaGate>>;

  constructor(options: AutoLoopsOptions) {
    this.#options = options;
    options.budgets.addSource(() => loopsNow(this.states(), options.sessions));
    this.#held = new HeldLoops({ ...options, loops: this });
    this.#clocks = new LoopClocks({ ...options, loops: () => this.#supervisors.values() });
    // The stand-in has no account, so it takes no part in the quota of agents that have one.
    this.#quota = { claude: options.quota, 'stand-in': new QuotaGate(options.clock) };
  }

  /**
   * Starts a loop and waits until its agent runs. `author` asked for it, `usual` are the permissions
   * where the request names none, `replaced` is the run of the failed loop that is started again.
   */
  async start(
    sessionName: string,
    request: StartAuto,
    author?: string,
    agent: AgentKind = 'claude',
    usual: LoopPermissions = this.#options.settings[agent].usualPermissions,
    replaced: string | null = null,
  ): Promise<ActionResult<LoopState>> {
    const { sessions, attachments, clock, settings, roots } = this.#options;
    const directory = resolveTaskDirectory(request.taskDir, agent === 'stand-in' ? null : roots);
    sessions.get(sessionName);
    requireFree(this.states(), sessionName, directory);
    attachments.requireFree(sessionName);
    requireBudget({ sessionName, startedBy: author ?? '' }, this.#options);
    const ready = { ...this.#options, ...settings[agent], signal: this.#stopped.signal };
    const place = await requireReady(sessionName, ready);
    const wanted = { agent, place, given: request.permissions, usual };
    const permissions = await choosePermissions(wanted, this.#options);
    const state = freshLoop({
      sessionName,
      taskDir: directory.path,
      dirIdentity: directory.identity,
      startedAt: toIso(clock.now()),
      runId: randomId(),
      startedBy: author ?? '',
      agent,
      maxIterations: request.maxIterations,
      timeoutMinutes: request.timeoutMinutes,
      permissions,
    });
    const { supervisor, seq } = this.#insert(state, replaced);
    const outcome = await supervisor.start();
    if (!outcome.ok) throw new AppError('agent_not_started', outcome.error);
    return { result: supervisor.state ?? { ...state, ...NOTHING, status: 'running' }, seq };
  }

  /** Asks a loop to stop; removes it at once when it has failed. Throws `no_loop`. */
  stop(sessionName: string, author?: string): ActionResult<'stopping' | 'stopped'> {
    const supervisor = this.#require(sessionName);
    const isFailed = supervisor.state?.status === 'failed';
    const stop = { kind: 'stop', reason: 'user_stop', by: 'person', author } as const;
    const seq = supervisor.apply(isFailed ? { kind: 'remove' } : stop);
    return { result: isFailed ? 'stopped' : 'stopping', seq: seq ?? this.#options.log.head };
  }

  /** Something changed about the agent of a session: its loop observes it at once. */
  agentChanged(sessionName: string): void {
    void this.#supervisors.get(sessionName)?.observe();
  }

  /**
   * Restarts a failed loop on its directory, with its limits and permissions unless others are given.
   * Throws `no_loop`, `session_busy` when it has not failed, and what `start` throws.
   */
  async restart(
    sessionName: string,
    changes: RestartAuto,
    author?: string,
  ): Promise<ActionResult<LoopState>> {
    const { state } = this.#require(sessionName);
    if (state === null || state.status !== 'failed')
      throw new AppError('session_busy', `the loop in ${sessionName} still runs; stop it first`);
    const { taskDir, maxIterations, timeoutMinutes, agent, permissions, runId } = state;
    const request = { taskDir, maxIterations, timeoutMinutes, ...changes };
    return this.start(sessionName, request, author, agent, permissions ?? undefined, runId);
  }

  /** Changes the limits of a running loop. Throws `no_loop` or `loop_not_running`. */
  changeLimits(sessionName: string, limits: ChangeLimits, author?: string): ActionResult<Loop> {
    const supervisor = this.#require(sessionName);
    if (supervisor.state?.status === 'failed')
      throw new AppError('loop_not_running', `the loop in ${sessionName} failed; restart it first`);
    const seq = supervisor.apply({ kind: 'limits', ...limits, author });
    return { result: supervisor.view(), seq: seq ?? this.#options.log.head };
  }

  /** Throws `session_unknown` when there is neither loop nor session. */
  get(sessionName: string): Loop {
    const loop = this.find(sessionName);
    if (loop === null) this.#options.sessions.get(sessionName);
    return loop ?? noLoopView(sessionName);
  }

  /** Null where no loop is. */
  find(sessionName: string): Loop | null {
    return this.#supervisors.get(sessionName)?.view() ?? null;
  }

  list(): Loop[] {
    return [...this.#supervisors.values()]
      .map((supervisor) => supervisor.view())
      .sort((a, b) => a.session_name.localeCompare(b.session_name));
  }

  /** In no order; cheaper than their views. */
  states(): LoopState[] {
    return [...this.#supervisors.values()].flatMap(({ state }) => state ?? []);
  }

  /** By any path that names the directory. */
  lookup(taskDir: string): Loop | null {
    const path = realDirectory(taskDir)?.path ?? taskDir;
    return this.list().find(({ task_dir }) => task_dir === path) ?? null;
  }

  /**
   * Recovers every stored loop, each independently, after the sessions. `mayHaveEnded`: runs that
   * may have ended since their rows were written, which only rows from a backup can.
   */
  async recover(mayHaveEnded: (runId: string) => boolean = () => false): Promise<void> {
    const { store, logger, launchFiles } = this.#options;
    const rows = store.load();
    const all: AdoptedLoop[] = [];
    // One after the other: two rows may name the same directory.
    for (const row of rows) {
      const others = [...all, ...rows.slice(all.length + 1)].map(({ state }) => state);
      const isOfBackup = mayHaveEnded(row.state.runId);
      all.push(await adoptLoop(row, isOfBackup, { ...this.#options, others }));
    }
    const active = all.filter(({ state }) => state.status !== 'failed');
    launchFiles.keepOnly(new Set(active.map(({ state }) => state.runId)));
    await Promise.all(
      all.map(async (stored) => {
        const supervisor = this.#supervise(stored.state, stored.savedAtMs);
        try {
          await supervisor.recover(stored.session, mayHaveEnded(stored.state.runId));
        } catch (error) {
          logger.error({ err: error, session: stored.state.sessionName }, 'recovery failed');
        }
      }),
    );
    this.#held.check();
  }

  dispose(): void {
    this.#stopped.abort();
    this.#held.dispose();
    this.#clocks.dispose();
    for (const supervisor of this.#supervisors.values()) supervisor.dispose();
  }

  /** Row, claim and event in one transaction; replaces the failed loop that is still here. */
  #insert(state: LoopState, replaced: string | null): { supervisor: LoopSupervisor; seq: number } {
    const { log, store, sessions, attachments, clock } = this.#options;
    if (replaced !== null && this.#require(state.sessionName).state?.runId !== replaced)
      throw new AppError('session_busy', `${state.sessionName} has another loop; stop it first`);
    const failed = failedConflicts(this.states(), state);
    const seq = log.write((append) => {
      const directory = { path: state.taskDir, identity: state.dirIdentity ?? '' };
      requireFree(this.states(), state.sessionName, directory);
      attachments.requireFree(state.sessionName);
      requireBudget(state, this.#options);
      for (const name of failed) store.remove(name);
      sessions.owners.claim(append, state.sessionName, 'auto');
      store.insert(state, clock.now());
      return append(startedEvent(state));
    });
    for (const name of failed) this.#supervisors.delete(name);
    return { supervisor: this.#supervise(state, clock.now()), seq };
  }

  #supervise(state: LoopState, savedAtMs: number): LoopSupervisor {
    const supervisor = new LoopSupervisor(
      { state, savedAtMs },
      {
        ...this.#options,
        ...this.#options.settings[state.agent],
        quota: this.#quota[state.agent],
        onFailed: () => this.#held.check(),
        onEnded: () => {
          if (this.#supervisors.get(state.sessionName) === supervisor)
            this.#supervisors.delete(state.sessionName);
        },
      },
    );
    this.#supervisors.set(state.sessionName, supervisor);
    return supervisor;
  }

  #require(sessionName: string): LoopSupervisor {
    const supervisor = this.#supervisors.get(sessionName);
    if (supervisor !== undefined) return supervisor;
    this.#options.sessions.get(sessionName);
    const message = `session ${sessionName} is not running a loop; list loops with: loopwatch loop ls`;
    throw new AppError('no_loop', message);
  }
}
