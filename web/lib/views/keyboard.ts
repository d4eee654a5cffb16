/** What the keyboard does with what stands on a page: going from card to card, pressing one. */
import { type CardMove, nextCard } from './next-card.ts';

/** A choice or a switch takes arrows and the space alone. */
const TAKES_LETTERS =
  'input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]';

/** Takes a key press; tells whether it belongs to a control or to the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  return document.querySelector('dialog[open]') !== null || target?.closest(TAKES_LETTERS) !== null;
}

/** The link that stands for the card around the focus, if there is one. */
export function focusedCard(): HTMLElement | null {
  const article = document.activeElement?.closest('article');
  return article?.querySelector<HTMLElement>('[data-card]') ?? null;
}

/** Takes where to go; moves the focus there. */
export function focusCard(move: CardMove): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')];
  const boxes = cards.map((card) => (card.closest('article') ?? card).getBoundingClientRect());
  const current = cards.findIndex((card) => card === focusedCard());
  const card = cards[nextCard(boxes, current, move)];
  card?.focus({ preventScroll: true });
  card?.closest('article')?.scrollIntoView({ block: 'nearest' });
}

/** Nobody means an answer to what has stood there for less than this. */
const READ_WITHIN_MS = 700;

/** Takes a number from 1; presses that answer of the card in focus. */
export function pressChoice(number: number): void {
  const choices = focusedCard()?.closest('article')?.querySelector<HTMLElement>('[data-choices]');
  if (!choices || performance.now() - Number(choices.dataset['choices']) < READ_WITHIN_MS) return;
  choices.querySelector<HTMLElement>(`[data-choice='${number}'] button`)?.click();
}

/** Presses what makes something new on this page; tells whether the page has that. */
export function pressNew(): boolean {
  const button = document.querySelector<HTMLElement>('[data-new] button');
  button?.click();
  return button !== null;
}
