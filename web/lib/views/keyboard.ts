/** Keyboard control of the cards on a page: moving between them, pressing one. */
import { type CardMove, nextCard } from './next-card.ts';

/** What a key does while a card has the focus. */
export const CARD_MOVES: Readonly<Record<string, CardMove>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  Home: 'first',
  End: 'last',
};

/** Radios and switches only use arrows and the space bar. */
const TAKES_LETTERS =
  'input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]';

/** Whether the key belongs to a control or to the browser. */
export function isHandled(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  return document.querySelector('dialog[open]') !== null || target?.closest(TAKES_LETTERS) !== null;
}

/**
 * Ctrl-K, or Command-K. Not in a terminal, which has its own use for it, and not above another
 * dialog.
 */
export function opensPalette(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return false;
  if (event.ctrlKey === event.metaKey || event.defaultPrevented) return false;
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest('.xterm') == null && document.querySelector('dialog[open]') === null;
}

/** The link that represents the card around the focus, if any. */
export function focusedCard(): HTMLElement | null {
  const article = document.activeElement?.closest('article');
  return article?.querySelector<HTMLElement>('[data-card]') ?? null;
}

export function focusCard(move: CardMove): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')];
  const boxes = cards.map((card) => (card.closest('article') ?? card).getBoundingClientRect());
  const current = cards.findIndex((card) => card === focusedCard());
  const card = cards[nextCard(boxes, current, move)];
  card?.focus({ preventScroll: true });
  card?.closest('article')?.scrollIntoView({ block: 'nearest' });
}

/** No one can have read a request shown for less than this, so keys do not answer it. */
const READ_WITHIN_MS = 700;

/** Presses an answer of the focused card; `number` from 1. */
export function pressChoice(number: number): void {
  const choices = focusedCard()?.closest('article')?.querySelector<HTMLElement>('[data-choices]');
  if (!choices || performance.now() - Number(choices.dataset['choices']) < READ_WITHIN_MS) return;
  choices.querySelector<HTMLElement>(`[data-choice='${number}'] button`)?.click();
}

/** Presses the "new" button of this page; returns whether there is one. */
export function pressNew(): boolean {
  const button = document.querySelector<HTMLElement>('[data-new] button');
  button?.click();
  return button !== null;
}
