/** The part of the address that says what is shown, so that a link or a reload shows the same. */
import { goto } from '$app/navigation';
import { page } from '$app/state';

/** Takes fields of the query; sets them, null removes one. No new entry in the browser's history. */
export function changeQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(page.url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === page.url.href) return;
  // The path is the one the page has already.
  // eslint-disable-next-line svelte/no-navigation-without-resolve
  void goto(url, { replaceState: true, keepFocus: true, noScroll: true });
}
