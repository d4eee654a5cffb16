/**
 * Claims the remote branches of tasks and runs before their first agent starts, keeps them while
 * there is work, and stops what lost its claim. Everything is one after another, so a claim that is
 * being stored is never taken for one that no work wants.
 */
import { messageOf } from '../lib/app-error.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Serial } from '../lib/serial.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { claimKeys } from './claim-keys.ts';
import type { ClaimPort, HeldClaim, KnownClaim } from './claim-port.ts';
import type { ClaimHold, ClaimWait } from './claim-wait.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Between two attempts to get what another host has. */
const RETRY_MS = 5_000;

interface Waiting extends ClaimWait {
  /** It is tried again when it has a slot. */
  isDue: boolean;
}

interface WorkClaimsOptions {
  port: ClaimPort;
  worktrees: Pick<Worktrees, 'of' | 'repositoryOf'>;
  clock: Clock;
  logger: Log;
  /** What may begin has changed. */
  changed: () => void;
}

export class WorkClaims {
  readonly #options: WorkClaimsOptions;
  readonly #serial = new Serial();
  readonly #sources: (() => Iterable<ClaimedWork>)[] = [];
  readonly #waits = new Map<string, Waiting>();
  readonly #claiming = new Set<string>();
  #timer: Timer | null = null;
  /** Compares once more: the last attempt failed. */
  #again: Timer | null = null;
  #hasFailed = false;
  #isSettling = false;
  #isOpen = false;

  constructor(options: WorkClaimsOptions) {
    this.#options = options;
    options.port.onChange(() => {
      this.#retry();
      this.settle();
    });
  }

  add(source: () => Iterable<ClaimedWork>): void {
    this.#sources.push(source);
  }

  /** Once the work of all sources is known: the claims of what is not would be given back. */
  open(): void {
    this.#isOpen = true;
    this.settle();
  }

  /** Whether queued work has to wait before it may be granted a slot. */
  isHeld(id: string): boolean {
    return this.#claiming.has(id) || this.#waits.get(id)?.isDue === false;
  }

  /** Why queued work waits; null when not for a claim. */
  waitOf(id: string): ClaimWait | null {
    return this.#waits.get(id) ?? null;
  }

  /** Whether the work may begin now; otherwise it is claimed first, and `changed` called after. */
  isReady(work: ClaimedWork): boolean {
    const { id } = work;
    if (work.claims() !== null) return true;
    if (this.#claiming.has(id)) return false;
    this.#claiming.add(id);
    void this.#serial
      .run('', async () => this.#acquire(work))
      .finally(() => {
        this.#claiming.delete(id);
        this.#changed();
      });
    return false;
  }

  /** Gives back what no work needs any more, and stops what lost its claim. Soon, once. */
  settle(): void {
    if (this.#isSettling || !this.#isOpen) return;
    this.#isSettling = true;
    void this.#serial.run('', async () => {
      this.#isSettling = false;
      try {
        if (this.#isOpen) await this.#reconcile();
        this.#hasFailed = false;
      } catch (error) {
        this.#settleAgain(error);
      }
    });
  }

  /** There may be no other connection for long, and a claim may be lost. */
  #settleAgain(error: unknown): void {
    const { logger, clock, port } = this.#options;
    if (!this.#hasFailed) logger.warn({ error: messageOf(error) }, 'cannot compare claims now');
    this.#hasFailed = true;
    this.#again?.cancel();
    const repeats = port.isOpen && this.#isOpen;
    this.#again = repeats ? clock.after(RETRY_MS, () => this.settle()) : null;
  }

  /** After a change of that work: whether something has to be given back. */
  observe(work: ClaimedWork): void {
    if (work.claims() !== null && work.isOver()) this.settle();
  }

  dispose(): void {
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#again?.cancel();
  }

  async #acquire(work: ClaimedWork): Promise<void> {
    const { port, worktrees, logger } = this.#options;
    const { id, title } = work;
    const held: HeldClaim[] = [];
    let hold: ClaimHold | null = null;
    try {
      for (const { key, branch } of await claimKeys(work.places(), worktrees)) {
        const here = this.#holderHere(key, id);
        const known: KnownClaim | null =
          here === null ? await port.claim(key, `${title}: ${branch}`) : null;
        if (known?.isOurs === true) held.push({ key, revision: known.revision });
        else {
          const detail = here === null ? `Host ${known?.holder ?? ''} works there.` : here;
          hold = { reason: 'claimed', detail };
          break;
        }
      }
    } catch (error) {
      hold = { reason: 'fleet_unreachable', detail: messageOf(error) };
    }
    if (hold === null) {
      work.notice({ kind: 'claimed', claims: held });
      if (work.claims() !== null) return void this.#waits.delete(id);
      this.#wait(work, { reason: 'fleet_unreachable', detail: 'Its claim could not be stored.' });
    } else this.#wait(work, hold);
    // All or nothing: two hosts with a part each would wait for each other.
    for (const claim of held) {
      await port.release(claim).catch((error: unknown) => {
        logger.warn({ error: messageOf(error) }, 'cannot release a claim now');
      });
    }
  }

  /** Other work of this host that holds the key. */
  #holderHere(key: string, id: string): string | null {
    for (const work of this.#work()) {
      if (work.id === id || work.claims()?.some((claim) => claim.key === key) !== true) continue;
      const { title } = work;
      return `${title.charAt(0).toUpperCase()}${title.slice(1)} of this host works there.`;
    }
    return null;
  }

  #wait(work: ClaimedWork, { reason, detail }: ClaimHold): void {
    const { clock } = this.#options;
    const { id } = work;
    const before = this.#waits.get(id);
    const since = before?.reason === reason ? before.since : toIso(clock.now());
    this.#waits.set(id, { reason, detail, since, isDue: false });
    if (!this.#isOpen) return;
    // The wait is set by now: the view behind the event shows it.
    if (before?.reason !== reason || before.detail !== detail) {
      work.notice({ kind: 'held', reason, detail });
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
    if (this.#isOpen) this.#options.changed();
  }

  async #reconcile(): Promise<void> {
    const { port } = this.#options;
    for (const work of this.#work()) {
      // Stored before it is given back: work that is started again meanwhile claims it again.
      if (work.claims() !== null && work.isOver()) work.notice({ kind: 'unclaimed' });
    }
    this.#forgetGone();
    if (!port.isOpen) return;
    const known = await port.list();
    const wanted = new Set<string>();
    for (const work of this.#work()) {
      const claims = work.claims() ?? [];
      const lost = claims.find(
        ({ key, revision }) =>
          !known.some((each) => each.isOurs && each.key === key && each.revision === revision),
      );
      if (lost === undefined) for (const { key } of claims) wanted.add(key);
      else {
        const now = known.find(({ key }) => key === lost.key);
        const holder = now === undefined || now.isOurs ? null : now.holder;
        work.notice({ kind: 'claim_lost', holder });
      }
    }
    for (const claim of known) {
      if (claim.isOurs && !wanted.has(claim.key)) await port.release(claim);
    }
    // Other work of this host may have waited for it.
    this.#retry();
  }

  #forgetGone(): void {
    const ids = new Set([...this.#work()].map(({ id }) => id));
    for (const id of this.#waits.keys()) if (!ids.has(id)) this.#waits.delete(id);
  }

  *#work(): Iterable<ClaimedWork> {
    for (const source of this.#sources) yield* source();
  }
}
