import { PAGES } from './pages.ts';

export interface Shortcut {
  keys: string;
  text: string;
}

/** What the keyboard does, as the page shows it. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'n', text: 'Start a loop' },
  { keys: 'j', text: 'Next session' },
  { keys: 'k', text: 'Previous session' },
  { keys: 'Enter', text: 'Open the chosen session' },
  { keys: 'i', text: 'Type into the session that is open' },
  { keys: '1 – 9', text: 'Inbox: choose the answer of that number' },
  { keys: 'r', text: 'Inbox: reply' },
  { keys: 'd', text: 'Inbox: dismiss' },
  { keys: '/', text: 'Search what is listed' },
  { keys: 'o', text: 'Back to the overview' },
  ...PAGES.map(({ key, label }) => ({ keys: `g ${key}`, text: `Go to ${label}` })),
  { keys: '?', text: 'Show this list' },
];

/** Takes a key press; tells whether it belongs to a control or to the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  return (
    document.querySelector('dialog[open]') !== null ||
    target?.closest('input, select, textarea, [contenteditable]') !== null
  );
}

/** Takes a direction; moves the focus to the next or previous card. */
export function focusCard(direction: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')];
  const current = cards.findIndex((card) =>
    card.closest('article')?.contains(document.activeElement),
  );
  const next = current === -1 ? (direction === 1 ? 0 : cards.length - 1) : current + direction;
  cards[Math.min(cards.length - 1, Math.max(0, next))]?.focus();
}
