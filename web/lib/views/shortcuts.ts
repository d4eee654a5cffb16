import { PAGES } from './pages.ts';

export interface Shortcut {
  keys: string;
  text: string;
}

/** What the keyboard does, as the page shows it. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'n', text: 'Start a loop; a task or prompt on its page' },
  { keys: 'j', text: 'Next session; the arrows go through the grid' },
  { keys: 'k', text: 'Previous session' },
  { keys: 'Enter', text: 'Open the chosen session' },
  { keys: '1 – 9', text: 'Give the chosen session or item of the inbox that answer' },
  { keys: 's', text: 'Stop the loop of the chosen session' },
  { keys: 'Escape', text: 'Let go of the chosen session' },
  { keys: 'i', text: 'Type into the session that is open' },
  { keys: 'f', text: 'Terminal in full screen, and back' },
  { keys: 'r', text: 'Inbox: reply' },
  { keys: 'd', text: 'Inbox: dismiss' },
  { keys: '/', text: 'Search what is listed' },
  { keys: 'o', text: 'Back to the overview' },
  ...PAGES.map(({ key, label }) => ({ keys: `g ${key}`, text: `Go to ${label}` })),
  { keys: '?', text: 'Show this list' },
];

/** A choice or a switch takes arrows and the space alone. */
const TAKES_LETTERS =
  'input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]';

/** Takes a key press; tells whether it belongs to a control or to the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  return document.querySelector('dialog[open]') !== null || target?.closest(TAKES_LETTERS) !== null;
}
