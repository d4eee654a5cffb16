/**
 * Lets a daemon work for hours and checks whether its memory grows: `[--minutes N] [--warm-up N]
 * [--loops N] [--readers N] [--viewers N] [--signal-ms N] [--kill-ms N] [--close-ms N] [--seed N]
 * [--most MB]`. One line a minute, then the slope after the warm-up. Ends with 1 when the memory
 * that is held grows faster than `--most` MB an hour, or when a reader missed an event.
 */
import { parseArgs } from 'node:util';
import { slope } from './slope.ts';
import { soak, type SoakSample } from './soak.ts';

const USAGE = 64;
const BROKEN = 1;
const MEGABYTE = 1_048_576;
const MINUTES_AN_HOUR = 60;

const NUMBERS = {
  minutes: 120,
  'warm-up': 60,
  loops: 12,
  readers: 5,
  viewers: 2,
  'signal-ms': 3_000,
  'kill-ms': 9_000,
  'close-ms': 60_000,
  seed: 1,
  most: 1,
};
type Option = keyof typeof NUMBERS;

process.exitCode = await main();

async function main(): Promise<number> {
  const given = readOptions();
  if (given === null) {
    const words = Object.entries(NUMBERS).map(([name, usual]) => `[--${name} ${usual}]`);
    process.stderr.write(`usage: soak ${words.join(' ')}\n`);
    return USAGE;
  }
  const samples: SoakSample[] = [];
  await soak({
    seed: given.seed,
    minutes: given.minutes,
    loops: given.loops,
    readers: given.readers,
    viewers: given.viewers,
    signalMs: given['signal-ms'],
    killMs: given['kill-ms'],
    closeMs: given['close-ms'],
    onStart: (pid, directory) => {
      process.stdout.write(
        `daemon ${pid}; kill -USR2 ${pid} writes a heap snapshot into ${directory}\n`,
      );
    },
    onSample: (sample) => {
      samples.push(sample);
      process.stdout.write(`${lineOf(sample)}\n`);
    },
  });
  return verdict(samples, given['warm-up'], given.most);
}

function readOptions(): Record<Option, number> | null {
  const options = Object.fromEntries(
    Object.keys(NUMBERS).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ options });
  const numbers = Object.entries(NUMBERS).map(([name, usual]) => {
    const value = values[name];
    return [name, value === undefined ? usual : Number(value)] as const;
  });
  if (numbers.some(([, value]) => !Number.isFinite(value) || value < 0)) return null;
  return Object.fromEntries(numbers) as Record<Option, number>;
}

function lineOf(sample: SoakSample): string {
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  const { rss, anonymous, heapUsed, heapTotal, live, external, arrayBuffers } = sample;
  return [
    `minute ${sample.minute}:`,
    `rss ${megabytes(rss)} (own ${megabytes(anonymous)})`,
    `heap ${megabytes(heapUsed)} of ${megabytes(heapTotal)}`,
    `live ${megabytes(live)} after ${sample.majorCollections} collections`,
    `external ${megabytes(external)} (buffers ${megabytes(arrayBuffers)})`,
    `malloced ${megabytes(sample.malloced)}`,
    `fds ${sample.descriptors}`,
    `db ${megabytes(sample.databaseBytes)} MB`,
    `head ${sample.head}, heard ${sample.heard}, gaps ${sample.gaps}`,
    `visits ${sample.visits}, starts ${sample.starts}, kills ${sample.kills}`,
    `failures ${sample.failures.length} ${sample.failures.at(-1) ?? ''}`,
  ].join(' · ');
}

/**
 * Resident memory with only the live part of the heap. The engine's space for young objects varies
 * by tens of MB with the load of the machine, which hides any slope.
 */
function heldBy({ rss, heapTotal, live }: SoakSample): number {
  return rss - heapTotal + live;
}

function verdict(samples: readonly SoakSample[], warmUp: number, most: number): number {
  const kept = samples.filter(({ minute }) => minute >= warmUp);
  const perHour = (value: (sample: SoakSample) => number) =>
    slope(kept.map((sample) => [sample.minute / MINUTES_AN_HOUR, value(sample)]));
  const growth = perHour(heldBy) / MEGABYTE;
  const last = samples.at(-1);
  const isFlat = growth <= most;
  const isWhole = last !== undefined && last.gaps === 0;
  const words = [
    `after minute ${warmUp}, per hour: held ${growth.toFixed(2)} MB (most ${most})`,
    `rss ${(perHour(({ rss }) => rss) / MEGABYTE).toFixed(2)} MB`,
    `live heap ${(perHour(({ live }) => live) / MEGABYTE).toFixed(2)} MB`,
    `heap taken ${(perHour(({ heapTotal }) => heapTotal) / MEGABYTE).toFixed(2)} MB`,
    `external ${(perHour(({ external }) => external) / MEGABYTE).toFixed(2)} MB`,
    `descriptors ${perHour(({ descriptors }) => descriptors).toFixed(1)}`,
    isWhole ? 'no gap' : `${last?.gaps ?? 'no sample, unknown'} gaps`,
    isFlat && isWhole ? 'kept' : 'BROKEN',
  ];
  process.stdout.write(`${words.join(' · ')}\n`);
  return isFlat && isWhole ? 0 : BROKEN;
}
