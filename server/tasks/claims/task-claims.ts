/**
 * Claims the remote branches of tasks before their first agent starts, keeps them while there is
 * work, and stops what lost its claim. Everything is one after another, so a claim that is being
 * stored is never taken for one that no task wants.
 */
import { messageOf } from '../../lib/app-error.ts';
import { type Clock, type Timer, toIso } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Serial } from '../../lib/serial.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { TaskSupervisor } from '../executor/task-supervisor.ts';
import { isUnclaimable } from '../machine/ending.ts';
import type { HeldClaim } from '../machine/task-state.ts';
import { claimKeys } from './claim-keys.ts';
import type { ClaimPort, KnownClaim } from './claim-port.ts';

/** Between two attempts to get what another host has. */
const RETRY_MS = 5_000;

export interface ClaimWait {
  reason: 'claimed' | 'fleet_unreachable';
  since: string;
  detail: string;
}

interface Waiting extends ClaimWait {
  /** It is tried again when it has a slot. */
  isDue: boolean;
}

interface TaskClaimsOptions {
  port: ClaimPort;
  tasks: () => Iterable<TaskSupervisor>;
  worktrees: Pick<Worktrees, 'of' | 'repositoryOf'>;
  clock: Clock;
  logger: Log;
  /** What may begin has changed. */
  changed: () => void;
}

export class TaskClaims {
  readonly #options: TaskClaimsOptions;
  readonly #serial = new Serial();
  readonly #waits = new Map<string, Waiting>();
  readonly #claiming = new Set<string>();
  #timer: Timer | null = null;
  #isSettling = false;
  #isDisposed = false;

  constructor(options: TaskClaimsOptions) {
    this.#options = options;
    options.port.onChange(() => {
      this.#retry();
      this.settle();
    });
  }

  /** Whether a queued task has to wait before it may be granted a slot. */
  isHeld(id: string): boolean {
    return this.#claiming.has(id) || this.#waits.get(id)?.isDue === false;
  }

  /** Why a queued task waits; null when not for a claim. */
  waitOf(id: string): ClaimWait | null {
    return this.#waits.get(id) ?? null;
  }

  /** Whether the task may begin now; otherwise it is claimed first, and `changed` called after. */
  isReady(task: TaskSupervisor): boolean {
    const { id, state } = task.record;
    if (state.claims !== null) return true;
    if (this.#claiming.has(id)) return false;
    this.#claiming.add(id);
    void this.#serial
      .run('', async () => this.#acquire(task))
      .finally(() => {
        this.#claiming.delete(id);
        this.#changed();
      });
    return false;
  }

  /** Gives back what no task needs any more, and stops what lost its claim. Soon, once. */
  settle(): void {
    if (this.#isSettling || this.#isDisposed) return;
    this.#isSettling = true;
    void this.#serial.run('', async () => {
      this.#isSettling = false;
      try {
        if (!this.#isDisposed) await this.#reconcile();
      } catch (error) {
        // The next connection does it again.
        this.#options.logger.warn({ error: messageOf(error) }, 'cannot compare claims');
      }
    });
  }

  /** After a change of a task: whether something has to be given back. */
  observe(): void {
    const isOver = [...this.#options.tasks()].some(
      ({ record: { state } }) => state.claims !== null && isUnclaimable(state),
    );
    if (isOver) this.settle();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
  }

  async #acquire(task: TaskSupervisor): Promise<void> {
    const { port, worktrees, logger } = this.#options;
    const { id } = task.record;
    const held: HeldClaim[] = [];
    let wait: Pick<ClaimWait, 'reason' | 'detail'> | null = null;
    try {
      for (const { key, work } of await claimKeys(task.record, worktrees)) {
        const here = this.#holderHere(key, id);
        const known: KnownClaim | null = here === null ? await port.claim(key, work) : null;
        if (known?.isOurs === true) held.push({ key, revision: known.revision });
        else {
          const detail = here === null ? `Host ${known?.holder ?? ''} works there.` : here;
          wait = { reason: 'claimed', detail };
          break;
        }
      }
    } catch (error) {
      wait = { reason: 'fleet_unreachable', detail: messageOf(error) };
    }
    if (wait === null) {
      task.notice({ kind: 'claimed', claims: held });
      if (task.record.state.claims !== null) return void this.#waits.delete(id);
      this.#wait(task, { reason: 'fleet_unreachable', detail: 'Its claim could not be stored.' });
    } else this.#wait(task, wait);
    // All or nothing: two hosts with a part each would wait for each other.
    for (const claim of held) {
      await port.release(claim).catch((error: unknown) => {
        logger.warn({ error: messageOf(error) }, 'cannot release a claim now');
      });
    }
  }

  /** Another task of this host that holds the key. */
  #holderHere(key: string, id: string): string | null {
    for (const { record } of this.#options.tasks()) {
      const holds = record.state.claims?.some((claim) => claim.key === key) === true;
      if (record.id !== id && holds) return `Task ${record.name} of this host works there.`;
    }
    return null;
  }

  #wait(task: TaskSupervisor, { reason, detail }: Pick<ClaimWait, 'reason' | 'detail'>): void {
    const { clock } = this.#options;
    const { id } = task.record;
    const before = this.#waits.get(id);
    const since = before?.reason === reason ? before.since : toIso(clock.now());
    this.#waits.set(id, { reason, detail, since, isDue: false });
    if (this.#isDisposed) return;
    // The wait is set by now: the view behind the event shows it.
    if (before?.reason !== reason || before.detail !== detail) {
      task.notice({ kind: 'held', reason, detail });
    }
    this.#timer ??= clock.after(RETRY_MS, () => {
      this.#timer = null;
      this.#retry();
    });
  }

  #retry(): void {
    for (const wait of this.#waits.values()) wait.isDue = true;
    this.#changed();
  }

  #changed(): void {
    if (!this.#isDisposed) this.#options.changed();
  }

  async #reconcile(): Promise<void> {
    const { port, tasks } = this.#options;
    for (const task of tasks()) {
      const { claims } = task.record.state;
      // Stored before it is given back: a task that is started again meanwhile claims it again.
      if (claims !== null && isUnclaimable(task.record.state)) task.notice({ kind: 'unclaimed' });
    }
    this.#forgetGone();
    if (!port.isOpen) return;
    const known = await port.list();
    const wanted = new Set<string>();
    for (const task of tasks()) {
      const claims = task.record.state.claims ?? [];
      const lost = claims.find(
        ({ key, revision }) =>
          !known.some((each) => each.isOurs && each.key === key && each.revision === revision),
      );
      if (lost === undefined) for (const { key } of claims) wanted.add(key);
      else {
        const now = known.find(({ key }) => key === lost.key);
        const holder = now === undefined || now.isOurs ? null : now.holder;
        task.notice({ kind: 'claim_lost', holder });
      }
    }
    for (const claim of known) {
      if (claim.isOurs && !wanted.has(claim.key)) await port.release(claim);
    }
    // Another task of this host may have waited for it.
    this.#retry();
  }

  #forgetGone(): void {
    const ids = new Set([...this.#options.tasks()].map(({ record }) => record.id));
    for (const id of this.#waits.keys()) if (!ids.has(id)) this.#waits.delete(id);
  }
}
