/** Whether this browser is notified, and the person's other browsers. */
import type { Rest } from '$lib/client/rest.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { PushTestResult, SubscribedBrowser } from '$shared/schema/alerts/push.ts';
import { browserLabel } from './browser-label.ts';
import { idOf, ownSubscription, subscribe } from './own-subscription.ts';
import { pushFacts } from './push-facts.ts';
import { pushObstacle } from './push-obstacle.ts';

/** Mostly an unreachable push service; the browser's own words say which. */
function refusedByBrowser(error: unknown): Error {
  const words = error instanceof Error ? error.message : String(error);
  return new Error(`This browser could not subscribe to its push service: ${words}`);
}

export class PushSwitch {
  /** Null until read. */
  browsers = $state.raw<readonly SubscribedBrowser[] | null>(null);
  obstacle = $state.raw(pushObstacle(pushFacts()));
  /** The id of this browser; null when it is not subscribed anywhere. */
  own = $state<string | null>(null);
  /** Of the last test, and which browser it was for. */
  tested = $state.raw<{ id: string; result: PushTestResult } | null>(null);
  readonly reading = new Attempt();
  readonly changing = new Attempt();
  readonly testing = new Attempt();

  readonly #rest: Rest;
  #publicKey = '';

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** The daemon decides: a browser that was removed elsewhere is off. */
  get isOn(): boolean {
    return this.browsers?.some(({ id }) => id === this.own) === true;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => this.#read());
  }

  /** Returns whether it is on. */
  async turnOn(): Promise<boolean> {
    return this.changing.run(async () => {
      await Notification.requestPermission();
      this.obstacle = pushObstacle(pushFacts());
      if (this.obstacle !== null) return;
      const subscription = await subscribe(this.#publicKey).catch((error: unknown) => {
        throw refusedByBrowser(error);
      });
      const { endpoint, keys } = subscription.toJSON();
      const body = {
        endpoint: endpoint ?? '',
        keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
        label: browserLabel(navigator.userAgent),
      };
      await this.#rest.call('subscribePush', { body });
      await this.#read();
    });
  }

  /** Of this browser or another. */
  async remove(id: string): Promise<boolean> {
    this.tested = null;
    return this.changing.run(async () => {
      await this.#rest.call('unsubscribePush', { item: id });
      if (id === this.own) await (await ownSubscription())?.unsubscribe();
      await this.#read();
    });
  }

  async test(id: string): Promise<void> {
    this.tested = null;
    await this.testing.run(async () => {
      const result = await this.#rest.call('testPush', { item: id });
      this.tested = { id, result };
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    const [{ browsers, public_key: key }, subscription] = await Promise.all([
      this.#rest.call('listPushSubscriptions'),
      ownSubscription(),
    ]);
    this.obstacle = pushObstacle(pushFacts());
    this.#publicKey = key;
    this.own = subscription === null ? null : await idOf(subscription);
    this.browsers = browsers;
  }
}
