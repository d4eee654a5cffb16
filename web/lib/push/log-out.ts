import type { Rest } from '$lib/client/rest.ts';
import type { Account } from '$lib/state/account.svelte.ts';
import { idOf, ownSubscription } from './own-subscription.ts';

/** Ends the notifications of this browser too: the next person to use it is someone else. */
export function logOut(account: Account, rest: Rest): void {
  account.forget();
  void endSubscription(rest).catch(() => undefined);
}

async function endSubscription(rest: Rest): Promise<void> {
  const subscription = await ownSubscription();
  if (subscription === null) return;
  // Also when the daemon is away: a push service that has lost a browser says so.
  const item = await idOf(subscription);
  await Promise.allSettled([rest.call('unsubscribePush', { item }), subscription.unsubscribe()]);
}
