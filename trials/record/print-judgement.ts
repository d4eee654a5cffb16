/** Prints how a trial went. */
import type { Stage } from '../stage.ts';
import { type Confusion, confusionOf } from './confusion.ts';

/** Of the polls. */
const FEWEST_RIGHT = 0.99;
const MAX_FALSELY_WORKING_MS = 2_000;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `wrong`: polls by `true > shown`; `failure`: why the part did not end as it should, or null. */
export function printPart(name: string, wrong: Confusion['wrong'], failure: string | null): void {
  const wrongs = Object.entries(wrong).map(([pair, count]) => `${pair}: ${count}`);
  const note = wrongs.length === 0 ? '' : ` (wrong: ${wrongs.join(', ')})`;
  print(`  ${failure === null ? 'held  ' : 'FAILED'} ${name}${note}`);
  if (failure !== null) print(indented(failure));
}

/** All that was typed, by whom, and how often the shown state was right. Whether that is good enough. */
export async function printJudgement(stage: Stage): Promise<boolean> {
  const { inputs } = (await stage.send('GET', stage.path('inputs'))) as {
    inputs: { text: string; source: string; delivery: string }[];
  };
  for (const { text, source, delivery } of inputs.toReversed()) {
    print(`    typed for ${source}: ${text.slice(0, 60)} (${delivery})`);
  }
  const { polls, right, falselyWorkingMs } = confusionOf(stage.truth.changes, stage.sightings);
  if (polls === 0) return true;
  print(`    ${right} of ${polls} polls right (${((100 * right) / polls).toFixed(2)} %)`);
  const longest = Math.round(falselyWorkingMs);
  print(`    longest "working" for an agent that waited or had exited: ${longest} ms`);
  return right / polls >= FEWEST_RIGHT && falselyWorkingMs <= MAX_FALSELY_WORKING_MS;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
