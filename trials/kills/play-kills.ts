/** Every kill in every moment, as a table of what was seen. */
import { existsSync } from 'node:fs';
import { print, printPart } from '../record/print-judgement.ts';
import type { Stage } from '../stage.ts';
import { type Held, playCell, type Victim, VICTIMS } from './play-cell.ts';
import { SCENARIOS } from './scenarios.ts';

/** What fits into minutes: one moment that holds a prompt and one that asks. */
const SHORT: readonly [string, Victim][] = [
  ['an answer', 'client'],
  ['an answer', 'terminal'],
  ['a permission', 'daemon'],
];

export type Cell = [scenario: string, victim: Victim];

/** The cells whose names contain `wanted`; `isShort`: few of them. */
export function cellsOf(isShort: boolean, wanted = ''): readonly Cell[] {
  const all = Object.keys(SCENARIOS).flatMap((name) =>
    VICTIMS.map((victim): Cell => [name, victim]),
  );
  return (isShort ? SHORT : all).filter((cell) => titleOf(cell).includes(wanted));
}

/** Plays all cells, also after one that failed. Whether all held. */
export async function playKills(stage: Stage, cells: readonly Cell[]): Promise<boolean> {
  stage.truth.judgesNothing();
  await stage.begin();
  const held: [string, Held][] = [];
  let misses = 0;
  for (const [count, cell] of cells.entries()) {
    const [name, victim] = cell;
    const scenario = SCENARIOS[name];
    if (scenario === undefined) throw new Error(`no scenario: ${name}`);
    const title = titleOf(cell);
    try {
      const result = await playCell(stage, `Cell ${count + 1}: ${title}`, scenario, victim);
      if (result.held !== null) held.push([title, result.held]);
      print(`  held   ${title}: ${result.seen}`);
    } catch (error) {
      misses += 1;
      printPart(title, {}, String(error));
    }
  }
  // A session of the same name was opened since: what waited for the dead client must not reach it.
  for (const [title, { text, file }] of held) {
    if (!existsSync(file) && stage.heard(text) === 0) continue;
    misses += 1;
    printPart(title, {}, 'the held prompt was typed later');
  }
  print(`    ${cells.length - misses} of ${cells.length} kills held`);
  return misses === 0;
}

function titleOf([name, victim]: Cell): string {
  return `${name}, the ${victim} is killed`;
}
