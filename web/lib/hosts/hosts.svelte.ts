/**
 * The hosts of the fleet as the daemon that serves the page sees them, and a connection to each
 * other one while a page shows the work of all.
 */
import { untrack } from 'svelte';
import { Rest } from '$lib/client/rest.ts';
import { hostBase } from '$lib/state/host-path.ts';
import { pageHost } from '$lib/state/page-host.ts';
import { OPEN_ITEMS } from '$lib/state/read-work.ts';
import type { FleetView } from '$shared/schema/fleet.ts';
import { HostConnection } from './host-connection.svelte.ts';

/** As fast as a silent host is noticed; what is urgent comes as an event. */
const READ_EVERY_MS = 30_000;
/** As often as hosts report themselves, for a page that shows what they report. */
const REPORTED_EVERY_MS = 10_000;
/** How often it is checked whether a reading is due. */
const CHECK_EVERY_MS = 5_000;
/** From one page that shows all hosts to the next, connections stay. */
const LINGER_MS = 5_000;

const ALONE: FleetView = { self: null, hosts: [], problem: null };

export class Hosts {
  view = $state.raw<FleetView>(ALONE);
  isRead = $state(false);
  connections = $state.raw<readonly HostConnection[]>([]);
  /** Of the daemon that serves the page, also when it is the page of another host. */
  readonly rest: Rest;
  readonly #token: string;
  /** Open inbox items of hosts that are not connected to, as last read. */
  #counts = $state.raw<Readonly<Record<string, number>>>({});
  #users = 0;
  /** Of pages that show what hosts report: called after each reading. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #watchers = new Set<() => void>();
  #readAt = -Infinity;

  /** Whose page this is; null: not in a fleet, or not known yet. */
  readonly current = $derived(
    pageHost === null
      ? this.view.self
      : (this.view.hosts.find(({ name }) => name === pageHost) ?? null),
  );
  /** The page is of a host that is in no fleet with the one that serves it, which would know. */
  readonly isUnknown = $derived(
    pageHost !== null && this.isRead && this.current === null && this.view.problem === null,
  );
  /** Those that this page does not show. */
  readonly others = $derived(
    this.view.self === null
      ? []
      : this.view.hosts.filter(({ name }) => name !== (this.current?.name ?? pageHost)),
  );
  /** Names of those whose work this page shows too. */
  readonly shown = $derived(pageHost === null ? this.others.map(({ name }) => name) : []);
  /** Open inbox items of those. */
  readonly openElsewhere = $derived(this.shown.reduce((sum, name) => sum + this.#openOn(name), 0));

  constructor(token: string) {
    this.#token = token;
    this.rest = new Rest(token);
  }

  /** Reads the hosts now and, in a fleet, from time to time while the tab is visible; call the result to stop. */
  follow(): () => void {
    void this.read();
    const readIfDue = (): void => {
      const everyMs = this.#watchers.size > 0 ? REPORTED_EVERY_MS : READ_EVERY_MS;
      const isDue = performance.now() - this.#readAt >= everyMs;
      if (isDue && !document.hidden && this.view.self !== null) void this.read();
    };
    const timer = setInterval(readIfDue, CHECK_EVERY_MS);
    document.addEventListener('visibilitychange', readIfDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', readIfDue);
      this.#users = 0;
      this.#connectAsNeeded();
    };
  }

  /**
   * A page shows what hosts report until the returned function is called. `onread`: may read more,
   * and is called after each reading.
   */
  watch(onread: () => void): () => void {
    this.#watchers.add(onread);
    void this.read();
    return () => void this.#watchers.delete(onread);
  }

  /** Unchanged if that fails. */
  async read(): Promise<void> {
    this.#readAt = performance.now();
    const view = await this.rest.call('listHosts').catch(() => null);
    if (view === null) return;
    this.isRead = true;
    const before = this.view;
    if (JSON.stringify(view) !== JSON.stringify(before)) this.view = view;
    this.#connectAsNeeded();
    this.#connectAgain(before);
    for (const watcher of this.#watchers) watcher();
    await this.#count();
  }

  connectionTo(host: string | null): HostConnection | null {
    return this.connections.find((each) => each.host === host) ?? null;
  }

  /** A page shows the work of all hosts until the returned function is called. */
  connect(): () => void {
    this.#users += 1;
    // Untracked: an effect that calls this would run again for each connection.
    untrack(() => this.#connectAsNeeded());
    return () => {
      this.#users -= 1;
      setTimeout(() => this.#connectAsNeeded(), LINGER_MS);
    };
  }

  #connectAsNeeded(): void {
    const wanted = this.#users > 0 ? this.shown : [];
    const gone = this.connections.filter(({ host }) => !wanted.includes(host));
    const isNew = (name: string): boolean => this.connectionTo(name) === null;
    const fresh = wanted.filter(isNew).map((name) => new HostConnection(name));
    if (gone.length === 0 && fresh.length === 0) return;
    for (const each of gone) each.stop();
    for (const each of fresh) each.start();
    const kept = this.connections.filter((each) => !gone.includes(each));
    this.connections = [...kept, ...fresh].sort((a, b) => a.host.localeCompare(b.host));
  }

  /** To those that can be reached again: not only after the pause of a failed attempt. */
  #connectAgain({ hosts: before }: FleetView): void {
    for (const { name, state } of this.view.hosts) {
      const wasAway = before.some((host) => host.name === name && host.state === 'unreachable');
      if (wasAway && state === 'reachable') this.connectionTo(name)?.feed.probe();
    }
  }

  #openOn(name: string): number {
    const feed = this.connectionTo(name)?.feed;
    return feed?.isLoaded === true ? feed.work.inbox.open.length : (this.#counts[name] ?? 0);
  }

  /** The numbers in header and title are of all hosts on every page; those connected to send events. */
  async #count(): Promise<void> {
    const names = this.shown.filter((name) => this.connectionTo(name) === null);
    const counts = await Promise.all(
      names.map(async (name) => {
        const rest = new Rest(this.#token, undefined, hostBase(name));
        const open = await rest.call('listAttention', { query: OPEN_ITEMS }).catch(() => null);
        return [name, open?.items.length ?? this.#counts[name] ?? 0] as const;
      }),
    );
    this.#counts = { ...this.#counts, ...Object.fromEntries(counts) };
  }
}
