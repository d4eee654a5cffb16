/** All sessions that respawn keeps going: starts and stops it, finds them, recovers them. */
import {
  changeConfig,
  DEFAULT_RESPAWN_CONFIG,
  type RespawnConfig,
  type RespawnConfigChange,
  type RespawnStart,
  type RespawnView,
} from '../../shared/schema/loops/respawn.ts';
import type { RespawnCheck, RespawnStateName } from '../../shared/rules/respawn/respawn-names.ts';
import { z } from 'zod';
import { RESPAWN_PRESETS } from '../../shared/rules/respawn/respawn-presets.ts';
import { AppError } from '../lib/app-error.ts';
import type { HookEvent } from '../agents/hooks/hook-event.ts';
import type { ActionResult } from '../events/event-log.ts';
import { freshRespawn } from './fresh-respawn.ts';
import type { UnstampedInput, RespawnState } from './machine/respawn-state.ts';
import type { RespawnOptions } from './respawn-options.ts';
import { RespawnSupervisor } from './respawn-supervisor.ts';

export class Respawns {
  readonly #options: RespawnOptions;
  readonly #supervisors = new Map<string, RespawnSupervisor>();

  constructor(options: RespawnOptions) {
    this.#options = options;
    options.sessions.onClosed((session) => this.#closed(session));
  }

  /** Throws `session_unknown`. One that was never started is stopped. */
  get(session: string): RespawnView {
    return this.#viewOf(this.#known(session));
  }

  /** Those that were started, or configured, by session. */
  list(): RespawnView[] {
    return [...this.#supervisors.values()]
      .flatMap((supervisor) => supervisor.view() ?? [])
      .sort((one, other) => one.session_name.localeCompare(other.session_name));
  }

  /** In no order. */
  states(): RespawnStateName[] {
    return [...this.#supervisors.values()].flatMap(({ state }) => state?.visit.status ?? []);
  }

  /** Throws `session_unknown`. */
  config(session: string): RespawnConfig {
    return this.#known(session).state?.config ?? DEFAULT_RESPAWN_CONFIG;
  }

  /** What is left out stays. Throws `session_unknown`, `invalid_body`. */
  configure(
    session: string,
    change: RespawnConfigChange,
    author: string,
  ): ActionResult<RespawnConfig> {
    const supervisor = this.#known(session);
    const config = this.#changed(session, change);
    const seq = this.#apply(supervisor, { kind: 'configured', config, author });
    return { result: config, seq };
  }

  /**
   * Throws `session_unknown`, `invalid_body`, and `session_busy` when it runs already, something
   * else owns the session, or a person has the keys of its terminal.
   */
  start(
    session: string,
    { preset: id, config: change, minutes: given }: RespawnStart,
    author: string,
  ): ActionResult<RespawnView> {
    const supervisor = this.#known(session);
    const preset = RESPAWN_PRESETS.find((each) => each.id === id);
    const config = this.#changed(session, { ...preset?.change, ...change });
    const minutes = given === undefined ? (preset?.minutes ?? null) : given;
    if (!config.enabled) {
      const next = 'set it, then start again';
      throw new AppError('invalid_body', `enabled is false in the configuration; ${next}`);
    }
    if (supervisor.state?.run != null) {
      const next = `change it with: loopwatch respawn config ${session}`;
      throw new AppError('session_busy', `respawn already runs in ${session}; ${next}`);
    }
    this.#options.attachments.requireFree(session);
    const hasAgent = this.#options.monitor.program(session)?.kind === 'agent';
    const seq = this.#apply(supervisor, { kind: 'start', author, minutes, config, hasAgent });
    return { result: this.#viewOf(supervisor), seq };
  }

  /** Throws `session_unknown`, `respawn_not_running`. */
  stop(session: string, author: string): ActionResult<RespawnView> {
    return this.#order(session, { kind: 'stop', author });
  }

  pause(session: string, author: string): ActionResult<RespawnView> {
    return this.#order(session, { kind: 'pause', author });
  }

  resume(session: string, author: string): ActionResult<RespawnView> {
    return this.#order(session, { kind: 'resume', author });
  }

  /** Turns a check on again that was switched off after errors. */
  enableCheck(session: string, check: RespawnCheck): ActionResult<RespawnView> {
    return this.#order(session, { kind: 'enable_check', check });
  }

  agentChanged(session: string): void {
    this.#supervisors.get(session)?.agentChanged();
  }

  heard(session: string, event: HookEvent): void {
    this.#supervisors.get(session)?.heard(event);
  }

  asked(session: string): void {
    this.#supervisors.get(session)?.asked();
  }

  answered(session: string): void {
    this.#supervisors.get(session)?.answered();
  }

  /** Call when the outbox has recovered. `isFromBackup`: the rows are from a backup. */
  recover(isFromBackup: boolean): void {
    const { store, logger, sessions, log } = this.#options;
    for (const { state, clockMs, isUnreadable } of store.load()) {
      const { session } = state;
      if (isUnreadable) logger.error({ session }, 'the stored respawn cannot be read; it is off');
      try {
        const supervisor = this.#supervisor(state, clockMs);
        this.#supervisors.set(session, supervisor);
        supervisor.recover(isFromBackup);
      } catch (error) {
        logger.error({ err: error, session }, 'recovery failed');
      }
    }
    // A row that cannot be read, or is gone, must not keep its session.
    for (const { name, owner } of sessions.list()) {
      const isFree = this.#supervisors.get(name)?.state?.run == null;
      if (owner === 'respawn' && isFree) {
        log.write((append) => sessions.owners.release(append, name));
      }
    }
  }

  dispose(): void {
    for (const supervisor of this.#supervisors.values()) supervisor.dispose();
  }

  #order(session: string, input: UnstampedInput): ActionResult<RespawnView> {
    const supervisor = this.#known(session);
    if (supervisor.state?.run == null) {
      const next = `start it with: loopwatch respawn start ${session}`;
      throw new AppError('respawn_not_running', `respawn does not run in ${session}; ${next}`);
    }
    const seq = this.#apply(supervisor, input);
    return { result: this.#viewOf(supervisor), seq };
  }

  #apply(supervisor: RespawnSupervisor, input: UnstampedInput): number {
    const seq = supervisor.apply(input) ?? this.#options.log.head;
    const { state } = supervisor;
    if (state !== null) this.#supervisors.set(state.session, supervisor);
    return seq;
  }

  #changed(session: string, change: RespawnConfigChange): RespawnConfig {
    try {
      return changeConfig(this.config(session), change);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const issues = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
      const [first] = issues;
      throw new AppError('invalid_body', `${first?.field ?? ''}: ${first?.message ?? ''}`, {
        issues,
      });
    }
  }

  /** One that nothing is stored of is kept only once something is. */
  #known(session: string): RespawnSupervisor {
    const known = this.#supervisors.get(session);
    if (known !== undefined) return known;
    this.#options.sessions.get(session);
    return this.#supervisor(freshRespawn(session, DEFAULT_RESPAWN_CONFIG), 0);
  }

  #supervisor(state: RespawnState, clockMs: number): RespawnSupervisor {
    const { session } = state;
    return new RespawnSupervisor(state, clockMs, {
      ...this.#options,
      onEnded: () => this.#supervisors.delete(session),
    });
  }

  #viewOf(supervisor: RespawnSupervisor): RespawnView {
    const view = supervisor.view();
    if (view === null) throw new AppError('session_unknown', 'its session has just ended');
    return view;
  }

  #closed(session: string): void {
    const supervisor = this.#supervisors.get(session);
    if (supervisor?.state == null) return;
    supervisor.apply({ kind: 'owner_gone', detail: 'its session has ended' });
  }
}
