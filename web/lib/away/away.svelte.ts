/** What happened since a person was last at this page. All tabs of a browser share that time. */
import type { Account } from '$lib/state/account.svelte.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { storageKey } from '$lib/state/page-host.ts';
import type { Report } from '$shared/schema/usage/report.ts';
import { type Absence, parsePresence, type Presence, seenAt } from './absence.ts';
import { endedWork } from './ended-work.ts';

const KEY = storageKey('loopwatch.presence');
/** Moving a mouse is many events, each of which would be a write. */
const NOTE_EVERY_MS = 10_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;

export class Away {
  absence = $state.raw<Absence | null>(null);
  /** Of the absence; null until it was read. */
  report = $state.raw<Report | null>(null);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #account: Account;
  #notedMs = -Infinity;

  constructor(feed: Feed, account: Account) {
    this.#feed = feed;
    this.#account = account;
  }

  /**
   * Opening the page, a key, the pointer and coming back to the tab count as being there, until the
   * returned function is called. After a logout nothing is kept: the next person was not here.
   */
  follow(): () => void {
    const over = new AbortController();
    const options = { signal: over.signal, capture: true, passive: true };
    const note = () => {
      if (!document.hidden) this.#note();
    };
    for (const sign of SIGNS) window.addEventListener(sign, note, options);
    document.addEventListener('visibilitychange', note, options);
    const take = ({ key }: StorageEvent) => {
      if (key === KEY) this.#show(stored().absence);
    };
    window.addEventListener('storage', take, options);
    note();
    this.#show(stored().absence);
    return () => {
      over.abort();
      // While an effect is torn down, its state still reads as it was before.
      queueMicrotask(() => {
        if (this.#account.hasLeft) localStorage.removeItem(KEY);
      });
    };
  }

  /** An absence in which no work ended is dismissed. */
  async read(): Promise<void> {
    const { absence } = this;
    if (absence === null || this.report !== null) return;
    await this.reading.run(async () => {
      const [since, until] = [iso(absence.sinceMs), iso(absence.untilMs)];
      const query = { since, until, branches: 'skip' } as const;
      const report = await this.#feed.rest.call('getReport', { query });
      if (this.absence !== absence) return;
      const cost = report.totals.used.cost?.micro_usd ?? 0;
      if (endedWork(report.units).length === 0 && cost === 0) this.dismiss();
      else this.report = report;
    });
  }

  dismiss(): void {
    keep({ seenMs: Date.now(), absence: null });
    this.#show(null);
  }

  #note(): void {
    const nowMs = Date.now();
    // A clock that was set back counts too.
    if (Math.abs(nowMs - this.#notedMs) < NOTE_EVERY_MS) return;
    this.#notedMs = nowMs;
    const presence = seenAt(stored(), nowMs);
    keep(presence);
    this.#show(presence.absence);
  }

  #show(absence: Absence | null): void {
    const { sinceMs, untilMs } = this.absence ?? {};
    if (sinceMs === absence?.sinceMs && untilMs === absence?.untilMs) return;
    this.absence = absence;
    this.report = null;
  }
}

function stored(): Presence {
  return parsePresence(localStorage.getItem(KEY));
}

function keep(presence: Presence): void {
  localStorage.setItem(KEY, JSON.stringify(presence));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
