/** Another host's live work and what this person may do there, while a page shows all hosts. */
import { untrack } from 'svelte';
import { Rest } from '$lib/client/rest.ts';
import { Account } from '$lib/state/account.svelte.ts';
import { Feed } from '$lib/state/feed.svelte.ts';
import { hostBase } from '$lib/state/host-path.ts';
import { SessionUsages } from '$lib/state/session-usages.svelte.ts';

export class HostConnection {
  readonly host: string;
  readonly feed: Feed;
  readonly account = new Account(true);
  readonly usages: SessionUsages;
  readonly #rest: Rest;
  #stop: () => void = () => undefined;

  constructor(host: string) {
    this.host = host;
    // A token that ended is noticed by the page's own connection.
    const readAgain = (): void => void this.account.refresh(this.#rest);
    this.#rest = new Rest(this.account.token, readAgain, hostBase(host));
    this.feed = new Feed(this.#rest, host);
    this.usages = new SessionUsages(this.feed);
  }

  /** Nothing can be done there now. */
  get isOff(): boolean {
    return this.feed.link.state === 'offline';
  }

  start(): void {
    const disconnect = this.feed.start();
    const ignore = this.feed.listen(({ type }) => {
      if (type === 'people.role_changed') void this.account.refresh(this.#rest);
    });
    // Each time the connection comes up.
    const unfollow = $effect.root(() => {
      $effect(() => {
        if (this.feed.isStale) return;
        untrack(() => void this.account.refresh(this.#rest));
        return this.usages.follow();
      });
    });
    this.#stop = () => {
      unfollow();
      ignore();
      disconnect();
    };
  }

  stop(): void {
    this.#stop();
  }
}
