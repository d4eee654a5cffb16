/** How the cost of a daemon at rest grows with what it keeps: one daemon for each axis. */
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { AXES } from './axes.ts';
import { growthFigures } from './growth-figures.ts';
import { measureAxis } from './measure-axis.ts';

export async function growth(pace: Pace): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const axis of AXES) figures.push(...growthFigures(axis, await measureAxis(axis, pace)));
  return figures;
}
