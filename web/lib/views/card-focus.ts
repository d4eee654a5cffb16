/** Going from session to session with the keyboard, through one column or through a grid. */
export type CardMove = 'next' | 'previous' | 'up' | 'down';

export type CardBox = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

/** Boxes whose tops differ by less stand in one row. */
const SAME_ROW = 4;

/**
 * Takes the boxes of the cards in reading order, the place of the one in focus (-1 without one), and
 * where to go; gives the place of the next one. Up and down keep the column as well as they can; at an
 * edge it stays where it is.
 */
export function nextCard(boxes: readonly CardBox[], current: number, move: CardMove): number {
  const last = boxes.length - 1;
  const from = boxes[current];
  if (from === undefined) return move === 'next' || move === 'down' ? 0 : last;
  if (move === 'next') return Math.min(last, current + 1);
  if (move === 'previous') return Math.max(0, current - 1);
  const places = boxes.map((box, place) => ({ box, place }));
  const beyond =
    move === 'down'
      ? places.slice(current + 1).filter(({ box }) => box.top >= from.bottom - SAME_ROW)
      : places
          .slice(0, current)
          .filter(({ box }) => box.bottom <= from.top + SAME_ROW)
          .reverse();
  const [first] = beyond;
  if (first === undefined) return current;
  const row = beyond.filter(({ box }) => Math.abs(box.top - first.box.top) < SAME_ROW);
  const distance = ({ box }: { box: CardBox }): number =>
    Math.abs(box.left + box.right - from.left - from.right);
  return row.reduce((best, other) => (distance(other) < distance(best) ? other : best)).place;
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
  if (!choices || Date.now() - Number(choices.dataset['choices']) < READ_WITHIN_MS) return;
  choices.querySelector<HTMLElement>(`[data-choice='${number}'] button`)?.click();
}
