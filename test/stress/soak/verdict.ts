/** Whether a soaked daemon grew: the trend of each measure over the hours after the warm-up. */
import { fittedLine } from '../../../bench/report/fitted-line.ts';
import type { SoakSample } from './soak.ts';

const MEGABYTE = 1_048_576;
const MINUTES_AN_HOUR = 60;

interface Measure {
  name: string;
  unit: string;
  of: (sample: SoakSample) => number;
  /** How much an hour may add; more is growth unless noise explains it. */
  most: number;
}

/** What only shows where the memory is. */
const PARTS: readonly Measure[] = [
  { name: 'rss', unit: ' MB', of: ({ rss }) => rss / MEGABYTE, most: Infinity },
  { name: 'live heap', unit: ' MB', of: ({ live }) => live / MEGABYTE, most: Infinity },
  { name: 'heap taken', unit: ' MB', of: ({ heapTotal }) => heapTotal / MEGABYTE, most: Infinity },
  { name: 'external', unit: ' MB', of: ({ external }) => external / MEGABYTE, most: Infinity },
];

export interface Verdict {
  /** A sentence for each measure. */
  lines: string[];
  isKept: boolean;
}

/** `mostMb`: what held memory may grow in an hour. `faster`: hours that pass in one. */
export function verdict(
  samples: readonly SoakSample[],
  { warmUp, faster, mostMb }: { warmUp: number; faster: number; mostMb: number },
): Verdict {
  const kept = samples.filter(({ minute }) => minute >= warmUp);
  const measures: Measure[] = [
    { name: 'held', unit: ' MB', of: (sample) => heldBy(sample) / MEGABYTE, most: mostMb },
    { name: 'descriptors', unit: '', of: ({ descriptors }) => descriptors, most: 1 },
    { name: 'write-ahead log', unit: ' MB', of: ({ walBytes }) => walBytes / MEGABYTE, most: 1 },
    { name: 'lag of timers', unit: ' ms', of: ({ lagMs }) => lagMs, most: 0.1 },
  ];
  let isKept = true;
  const lines = [...measures, ...PARTS].map(({ name, unit, of, most }) => {
    const points = kept.map((each) => ({
      size: (each.minute * faster) / MINUTES_AN_HOUR,
      value: of(each),
    }));
    const { slope, error } = fittedLine(points);
    // Two standard errors: noise alone passes that once in forty soaks.
    const grows = slope - 2 * error > most;
    if (grows) isKept = false;
    const bound = most === Infinity ? '' : `, most ${most}${grows ? ': GROWS' : ''}`;
    return `${name}: ${slope.toFixed(2)} ± ${(2 * error).toFixed(2)}${unit} an hour${bound}`;
  });
  const gaps = samples.at(-1)?.gaps ?? null;
  if (gaps !== 0) isKept = false;
  return { lines: [...lines, gaps === null ? 'no sample' : `gaps: ${gaps}`], isKept };
}

/**
 * Resident memory with only the live part of the heap. The engine's space for young objects varies
 * by tens of MB with the load of the machine, which hides any slope.
 */
function heldBy({ rss, heapTotal, live }: SoakSample): number {
  return rss - heapTotal + live;
}
