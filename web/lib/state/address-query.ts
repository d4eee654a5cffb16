/** The URL query holds what is shown, so that a link or a reload shows the same. */
import { goto } from '$app/navigation';
import { page } from '$app/state';

type QueryChanges = Readonly<Record<string, string | null>>;

/** Null removes a field. Adds no entry to the browser's history. */
export function changeQuery(changes: QueryChanges): void {
  void settleQuery(changes);
}

/** The same, for what may only follow once the address has changed. */
export async function settleQuery(changes: QueryChanges): Promise<void> {
  const url = new URL(page.url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === page.url.href) return;
  // The path does not change.
  // eslint-disable-next-line svelte/no-navigation-without-resolve
  await goto(url, { replaceState: true, keepFocus: true, noScroll: true });
}
