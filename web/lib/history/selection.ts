/** A part of a timeline, in its steps. */
export interface Selection {
  from: number;
  to: number;
}

const FAR = 10;

/** Moves one end by a key; the other end stops it. Null for keys that move nothing. */
export function moveHandle(
  { from, to }: Selection,
  handle: keyof Selection,
  key: string,
  steps: number,
): Selection | null {
  const at = handle === 'from' ? from : to;
  const moved = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - FAR,
    PageUp: at + FAR,
    Home: 0,
    End: steps,
  }[key];
  if (moved === undefined) return null;
  const [least, most] = handle === 'from' ? [0, to - 1] : [from + 1, steps];
  return { from, to, [handle]: Math.min(most, Math.max(least, moved)) };
}
