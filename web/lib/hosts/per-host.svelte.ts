/**
 * One part of a page for each host whose work it shows: that of the page first, then the others by
 * name. A page that shows one host alone has one part and connects to nothing.
 */
import { untrack } from 'svelte';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { HostConnection } from './host-connection.svelte.ts';
import type { Hosts } from './hosts.svelte.ts';

export interface HostPart<Part> {
  /** Null: the host of the page. */
  readonly host: string | null;
  readonly feed: Feed;
  readonly part: Part;
}

export class PerHost<Part> {
  readonly own: Part;
  readonly #hosts: Hosts;
  readonly #create: (feed: Feed) => Part;
  readonly #first: HostPart<Part>;
  readonly #others = new WeakMap<HostConnection, HostPart<Part>>();
  readonly all = $derived.by((): readonly HostPart<Part>[] => [
    this.#first,
    ...this.#hosts.connections.map((connection) => this.#partOf(connection)),
  ]);

  /** While the component that creates it is shown, there are connections to the other hosts. */
  constructor(hosts: Hosts, feed: Feed, create: (feed: Feed) => Part, own = create(feed)) {
    this.own = own;
    this.#hosts = hosts;
    this.#create = create;
    this.#first = { host: null, feed, part: own };
    $effect(() => hosts.connect());
  }

  /** Those of one host alone, by its name, or of all. */
  on(host: string | null): readonly HostPart<Part>[] {
    return host === null ? this.all : this.all.filter((each) => this.nameOf(each) === host);
  }

  /** Null while that host is not connected to. */
  of(host: string | null): Part | null {
    return this.all.find((each) => each.host === host)?.part ?? null;
  }

  /** Empty for a host that is alone. */
  nameOf({ host }: Pick<HostPart<Part>, 'host'>): string {
    return host ?? this.#hosts.current?.name ?? '';
  }

  /** Runs an effect for each of them from when it is there until it is gone; call it in a component. */
  each(effect: (part: HostPart<Part>) => (() => void) | undefined): void {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
    const running = new Map<HostPart<Part>, () => void>();
    const stop = (part: HostPart<Part>): void => {
      running.get(part)?.();
      running.delete(part);
    };
    $effect(() => {
      const { all } = this;
      untrack(() => {
        for (const part of [...running.keys()]) if (!all.includes(part)) stop(part);
        for (const part of all) {
          if (running.has(part)) continue;
          running.set(
            part,
            $effect.root(() => {
              $effect(() => effect(part));
            }),
          );
        }
      });
    });
    $effect(() => () => {
      for (const part of [...running.keys()]) stop(part);
    });
  }

  #partOf(connection: HostConnection): HostPart<Part> {
    const known = this.#others.get(connection);
    if (known !== undefined) return known;
    const { host, feed } = connection;
    const part = { host, feed, part: this.#create(feed) };
    this.#others.set(connection, part);
    return part;
  }
}
