/** The next card in a direction, in one column or in a grid. Pure. */
export type CardMove = 'next' | 'previous' | 'up' | 'down' | 'first' | 'last';

export interface CardBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Boxes whose tops differ by less are in one row. */
const SAME_ROW = 4;

/**
 * The index of the next card. `boxes` in reading order; `current` is -1 without focus. Up and down
 * keep the column as far as possible; at an edge the index does not change.
 */
export function nextCard(boxes: readonly CardBox[], current: number, move: CardMove): number {
  const last = boxes.length - 1;
  if (move === 'first') return Math.min(last, 0);
  if (move === 'last') return last;
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
