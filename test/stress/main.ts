/**
 * Puts the edge of a daemon under stress and checks every count: `[--seed N] [--engine ws|uws]
 * [--short] [--counts]`, where the last leaves times out, which a busy machine decides. One line per
 * scenario. Ends with 1, the seed and the operations when a limit is
 * broken, and with 69 when the engine cannot run here.
 */
import { parseArgs } from 'node:util';
import { TransportName } from '../../shared/schema/transport-name.ts';
import { EngineMissing } from './edge-link.ts';
import { lineOf, storyOf } from './report.ts';
import { runStress } from './run-stress.ts';
import { type Finding, isKept } from './stage.ts';

const USAGE = 64;
const UNAVAILABLE = 69;
const BROKEN = 1;
const SHORT_SHARE = 0.1;

process.exitCode = await main();

async function main(): Promise<number> {
  const { seed, short, counts, ...given } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      engine: { type: 'string', default: 'ws' },
      short: { type: 'boolean', default: false },
      counts: { type: 'boolean', default: false },
    },
  }).values;
  const { success: isKnown, data: engine } = TransportName.safeParse(given.engine);
  if (!isKnown || !/^\d+$/.test(seed)) {
    process.stderr.write('usage: stress [--seed N] [--engine ws|uws] [--short] [--counts]\n');
    return USAGE;
  }
  let broken = 0;
  const began = performance.now();
  try {
    await runStress({
      engine,
      seed: Number(seed),
      share: short ? SHORT_SHARE : 1,
      onOutcome(played) {
        const isJudged = ({ unit }: Finding) => !(counts && unit === 'ms');
        const outcome = { ...played, findings: played.findings.filter(isJudged) };
        process.stdout.write(`${lineOf(outcome)}\n`);
        if (outcome.findings.every(isKept)) return;
        broken += 1;
        process.stdout.write(`${storyOf(outcome).join('\n')}\n`);
      },
    });
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error;
    process.stdout.write(`skipped: the engine ${engine} cannot run here: ${error.message}\n`);
    return UNAVAILABLE;
  }
  const took = ((performance.now() - began) / 1_000).toFixed(1);
  const again = `again: npm run stress -- --engine ${engine} --seed ${seed}${short ? ' --short' : ''}`;
  const verdict = broken === 0 ? 'every limit kept' : `${broken} scenarios broke a limit; ${again}`;
  process.stdout.write(`engine ${engine}, seed ${seed}, ${took} s: ${verdict}\n`);
  return broken === 0 ? 0 : BROKEN;
}
