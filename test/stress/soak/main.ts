/**
 * Lets a daemon work for hours and checks whether anything grows: `[--minutes N] [--warm-up N]
 * [--loops N] [--readers N] [--viewers N] [--signal-ms N] [--kill-ms N] [--close-ms N] [--seed N]
 * [--most MB] [--faster N]`. One line a minute, then the growth after the warm-up. Ends with 1 when
 * held memory, descriptors, the write-ahead log or the lag of timers grow more than noise explains,
 * or a reader missed an event. `--faster 24`: as many signals, kills and ends in 20 minutes as in
 * eight hours.
 */
import { parseArgs } from 'node:util';
import { soak, type SoakSample } from './soak.ts';
import { verdict } from './verdict.ts';

const USAGE = 64;
const BROKEN = 1;
const MEGABYTE = 1_048_576;

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
  faster: 1,
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
  const { faster } = given;
  const samples: SoakSample[] = [];
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await soak({
    stop: stop.signal,
    seed: given.seed,
    minutes: given.minutes,
    loops: given.loops,
    readers: given.readers,
    viewers: given.viewers,
    signalMs: given['signal-ms'] / faster,
    killMs: given['kill-ms'] / faster,
    closeMs: given['close-ms'] / faster,
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
  if (stop.signal.aborted) return BROKEN;
  const { lines, isKept } = verdict(samples, {
    warmUp: given['warm-up'],
    faster,
    mostMb: given.most,
  });
  const words = [`after minute ${given['warm-up']}`, ...lines, isKept ? 'kept' : 'BROKEN'];
  process.stdout.write(`${words.join('\n')}\n`);
  return isKept ? 0 : BROKEN;
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
    `db ${megabytes(sample.databaseBytes)} MB (log ${megabytes(sample.walBytes)})`,
    `lag ${sample.lagMs.toFixed(2)} ms`,
    `head ${sample.head}, heard ${sample.heard}, gaps ${sample.gaps}`,
    `visits ${sample.visits}, starts ${sample.starts}, kills ${sample.kills}`,
    `failures ${sample.failures.length} ${sample.failures.at(-1) ?? ''}`,
  ].join(' · ');
}
