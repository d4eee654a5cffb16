/**
 * How a wall shares its width among its columns and its height among its rows. Pure. Sizes are
 * whole numbers, one for each column or row; with equal ones each is `EQUAL`.
 */

export type Sizes = readonly number[];
/** The sizes for each number of columns, or of rows, that a person has changed. */
export type Splits = Readonly<Record<number, Sizes>>;

const EQUAL = 100;
/** The least size of one: enough to find its separator again. */
const LEAST = 25;
/** More are not on a wall. */
const MOST = 9;

/** The sizes for so many columns or rows. */
export function sizesOf(splits: Splits, count: number): Sizes {
  return splits[count] ?? equalSizes(count);
}

/** Equal sizes are not kept: they are the default. */
export function withSizes(splits: Splits, sizes: Sizes): Splits {
  const others = Object.entries(splits).filter(([count]) => Number(count) !== sizes.length);
  const isDefault = sizes.every((size) => size === EQUAL);
  return Object.fromEntries(isDefault ? others : [...others, [sizes.length, sizes]]);
}

/** Where a separator is between its two neighbours, in percent, and how far it can be moved. */
export interface SplitPosition {
  percent: number;
  least: number;
  most: number;
}

/** `at`: the number of columns or rows before the separator, from 1. */
export function positionOf(sizes: Sizes, at: number): SplitPosition {
  const [before, both] = pairAt(sizes, at);
  const percentOf = (size: number): number => Math.round((size / both) * 100);
  return {
    percent: percentOf(before),
    least: percentOf(LEAST),
    most: percentOf(both - LEAST),
  };
}

/** Moves a separator; only the sizes of its two neighbours change. */
export function moveSplit(sizes: Sizes, at: number, percent: number): Sizes {
  const [, both] = pairAt(sizes, at);
  const wanted = Math.round((both * percent) / 100);
  const before = Math.max(LEAST, Math.min(both - LEAST, wanted));
  return sizes.map((size, place) => {
    if (place === at - 1) return before;
    return place === at ? both - before : size;
  });
}

/** The neighbours of a separator, of equal size. */
export function resetSplit(sizes: Sizes, at: number): Sizes {
  return moveSplit(sizes, at, 50);
}

/** Compact text for the address and the browser, such as `120-80.50-150-100`; empty for none. */
export function writeSplits(splits: Splits): string {
  return Object.values(splits)
    .map((sizes) => sizes.join('-'))
    .join('.');
}

/** Ignores what `writeSplits` cannot have written. */
export function readSplits(text: string): Splits {
  const all = text.split('.').slice(0, MOST).map(readSizes);
  return all.reduce<Splits>((splits, sizes) => (sizes ? withSizes(splits, sizes) : splits), {});
}

function readSizes(text: string): Sizes | null {
  if (!/^\d{1,4}(-\d{1,4}){1,8}$/.test(text)) return null;
  const sizes = text.split('-').map(Number);
  const sum = sizes.reduce((one, other) => one + other, 0);
  return sum === EQUAL * sizes.length && Math.min(...sizes) >= LEAST ? sizes : null;
}

function equalSizes(count: number): Sizes {
  return Array<number>(count).fill(EQUAL);
}

function pairAt(sizes: Sizes, at: number): [before: number, both: number] {
  const before = sizes[at - 1] ?? EQUAL;
  return [before, before + (sizes[at] ?? EQUAL)];
}
