/** The icon of the tab with the number of open items on it. */

/** Takes how many items are open, more than none; gives the icon as a `data:` address. */
function badgedIcon(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">` +
    `<rect width="32" height="32" rx="8" fill="#12312e"/>` +
    `<path d="M16 7a9 9 0 1 1-8.4 5.8" stroke="#4fd1b8" stroke-width="3.2" stroke-linecap="round"/>` +
    `<circle cx="22" cy="22" r="10" fill="#d92d20"/>` +
    `<text x="22" y="27" font-family="sans-serif" font-size="14" font-weight="700" fill="#fff" ` +
    `text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Takes how many items are open; shows that on the tab's icon and, where there is one, the app's. */
export function showBadge(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) {
    link.dataset['plain'] ??= link.href;
    link.href = count === 0 ? link.dataset['plain'] : badgedIcon(count);
  }
  if (!('setAppBadge' in navigator)) return;
  const shown = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count);
  shown.catch(() => undefined);
}
