/**
 * The figures of Loopwatch on this machine, next to those of others in the same run: a table, a
 * JSON file, and with --docs the page of the documentation. Uses only temporary directories.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { format } from 'prettier';
import { packageRoot } from '../server/lib/package-root.ts';
import { benchOptions, USAGE } from './options.ts';
import { FULL, QUICK } from './pace.ts';
import { PARTS } from './parts.ts';
import { machineFacts } from './report/machine.ts';
import { markdown, updatedPage } from './report/markdown.ts';
import type { BenchResult } from './report/result.ts';
import { table } from './report/table.ts';
import { watchMachine } from './rig/machine-noise.ts';
import { loopParts } from './run-parts.ts';

const DOCS = join(packageRoot(), 'docs/performance.md');

const options = benchOptions(process.argv.slice(2), Object.keys(PARTS));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n${USAGE}\n`);
  process.exitCode = 2;
} else {
  const pace = options.isQuick ? QUICK : FULL;
  const result: BenchResult = {
    machine: machineFacts(),
    quick: pace.isQuick,
    parts: {},
    noise: {},
  };
  const file = resolve(options.output);
  mkdirSync(dirname(file), { recursive: true });
  const wanted = Object.entries(PARTS).filter(([name]) => options.parts.includes(name));
  const isWhole = await loopParts(
    Object.fromEntries(wanted),
    pace,
    watchMachine,
    (name, figures, noise) => {
      result.parts[name] = figures;
      if (noise !== null) result.noise[name] = noise;
      process.stdout.write(`${name}\n${table(figures, noise).join('\n')}\n\n`);
      // After each part, so that a later failure loses nothing.
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
    },
    (name, message) => process.stderr.write(`${name}: ${message}\n`),
  );
  if (!isWhole) process.exitCode = 1;
  if (options.docs) {
    const order = Object.keys(PARTS);
    const isOfAll = wanted.length === order.length;
    const page = isOfAll
      ? markdown(result)
      : updatedPage(readFileSync(DOCS, 'utf8'), result, order);
    writeFileSync(DOCS, await format(page, { parser: 'markdown' }));
  }
}
