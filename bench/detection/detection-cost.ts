/**
 * What idle detection costs while a terminal draws 1 MB/s: the reader of respawn alone, fed with two
 * kinds of output, and read four times a second as the daemon does.
 */
import { OutputReader } from '../../server/respawn/detection/output-reader.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { median } from '../report/statistics.ts';

const BYTES_PER_SECOND = 1_000_000;
const READS_PER_SECOND = 4;
/** Of a terminal's pipe. */
const CHUNK_BYTES = 4_096;
const ROUNDS = 15;
const QUICK_ROUNDS = 5;
/** Not counted: a daemon has read for longer when it matters, and its code is compiled. */
const WARM_ROUNDS = 30;

const KINDS: Record<string, (line: number) => string> = {
  'lines of text': (line) =>
    `\x1b[38;5;246m${line}\x1b[0m  const \x1b[1mvalue\x1b[0m = read(${line}) ?? "ünïcödé";\r\n`,
  'a screen drawn again': (line) =>
    `\x1b[${(line % 24) + 1};1H\x1b[38;5;174m✻\x1b[0m Working… (${line % 60}s · ↓ 3 tokens)\x1b[K`,
};

export function detectionCost({ isQuick }: Pace): Figure[] {
  return Object.entries(KINDS).map(([kind, draw]) => {
    const chunks = chunksOf(draw);
    for (let round = 0; round < WARM_ROUNDS; round += 1) cpuMsOf(chunks);
    const rounds = Array.from({ length: isQuick ? QUICK_ROUNDS : ROUNDS }, () => cpuMsOf(chunks));
    return {
      name: `idle detection at 1 MB/s, ${kind}: share of a core`,
      value: median(rounds) / 10,
      unit: '%',
      goal: { direction: 'at most', value: 1 },
      remark: `${READS_PER_SECOND} readings a second, after ${WARM_ROUNDS} s`,
    };
  });
}

/** One second of output. */
function chunksOf(draw: (line: number) => string): Buffer[] {
  let text = '';
  for (let line = 0; text.length < BYTES_PER_SECOND; line += 1) text += draw(line);
  const bytes = Buffer.from(text).subarray(0, BYTES_PER_SECOND);
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
}

/** Processor time of one second of output, in milliseconds. */
function cpuMsOf(chunks: readonly Buffer[]): number {
  const reader = new OutputReader();
  const each = Math.ceil(chunks.length / READS_PER_SECOND);
  const before = process.cpuUsage();
  chunks.forEach((chunk, index) => {
    reader.push(chunk);
    if (index % each === each - 1) reader.read();
  });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
