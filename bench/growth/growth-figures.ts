/** One axis as rows: each resource at each size and its slope, then what breaks first. */
import type { Figure } from '../report/figures.ts';
import type { Axis } from './axis.ts';
import { type FirstLimit, firstLimit, type Limited } from './first-limit.ts';
import { fittedLine } from '../report/fitted-line.ts';
import type { Measured } from './measure-axis.ts';
import { type Resource, RESOURCES } from './resources.ts';

/** An engine serves no more sockets at once. */
const SOCKETS: Limited = {
  line: { slope: 1, base: 0 },
  limit: 10_000,
  words: 'the 10000 sockets an engine serves',
};

type Described = Pick<Axis, 'name' | 'asked' | 'sizes'>;

export function growthFigures(axis: Described, { samples, ended }: Measured): Figure[] {
  const { name, asked } = axis;
  // A slope for one is too small to read.
  const per = axis.sizes.at(-1) ?? 1;
  const limited = name === 'subscribers' ? [SOCKETS] : [];
  const rows: Figure[] = [];
  for (const resource of Object.keys(RESOURCES) as Resource[]) {
    const { unit, limit, words } = RESOURCES[resource];
    const points = samples.map(({ size, costs }) => ({ size, value: costs[resource] }));
    const line = fittedLine(points);
    limited.push({ line, limit, words });
    for (const { size, value } of points) {
      const row: Figure = { name: `${size} ${name}: ${resource}`, value, unit };
      row.chart = { resource, axis: name, size };
      if (resource === 'latency') row.remark = asked;
      rows.push(row);
    }
    const slope = `${name}: ${resource}, fitted slope`;
    rows.push({ name: slope, value: line.slope * per, unit: `${unit} per ${per} ${name}` });
  }
  rows.push(breaksFirst(name, firstLimit(limited), samples.at(-1)?.size ?? NaN));
  if (ended !== null) {
    rows.push({ name: `${name}: size reached`, value: ended.size, unit: name, remark: ended.why });
  }
  return rows;
}

function breaksFirst(name: string, first: FirstLimit | null, largest: number): Figure {
  const times = (first?.size ?? NaN) / largest;
  return {
    name: `${name}: what breaks first`,
    value: first?.size ?? Infinity,
    unit: name,
    remark:
      first === null
        ? 'nothing grows'
        : `${first.words}, at ${times.toFixed(1)} times the largest size measured`,
  };
}
