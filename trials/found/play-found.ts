/** Found sessions with a real client: listed, shown, untouched, answered, gone. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import { print, printPart } from '../record/print-judgement.ts';
import type { FoundStage } from './found-stage.ts';
import { playHooks } from './play-hooks.ts';
import { endOne, ROLES, startOne } from './play-sessions.ts';
import { printRows } from './print-rows.ts';
import { cellsOfRow, type Row, verdictOfRow } from './row.ts';
import { differences } from './file-facts.ts';
import { factsOf, quietFacts } from './still.ts';

/** More than a scan, which is every fifth poll. */
const WATCHED_MS = 12_000;
const LOOKED_EVERY_MS = 1_000;

/** Whether all held. Throws where it cannot continue. */
export async function playFound(stage: FoundStage): Promise<boolean> {
  await stage.begin();
  print('    times in ms: of the client until its record says so + until it is shown');
  const rows: Row[] = [];
  for (const role of ROLES) {
    const row = await startOne(stage, role);
    rows.push(row);
    print(`    ${cellsOfRow(row).slice(0, -2).join(', ')}`);
  }
  const crashed = rows.find(({ role }) => role.end === 'kill')?.pid ?? 0;
  const held = [await raisesCrash(stage, crashed), listsExactly(stage, rows)];
  const { isStill, unsteady } = await staysStill(stage);
  held.push(isStill, await playHooks(stage, unsteady));
  for (const row of rows) {
    const session = stage.sessions.find(({ pid }) => pid === row.pid);
    if (row.gone !== null || session === undefined) continue;
    row.gone = await endOne(stage, session, row.role.end).catch((error: unknown) => {
      printPart(`the end of ${session.name}`, {}, String(error));
      return null;
    });
  }
  printRows(rows);
  return held.every(Boolean) && rows.every((row) => verdictOfRow(row) !== 'wrong');
}

async function raisesCrash(stage: FoundStage, pid: number): Promise<boolean> {
  const { items } = (await stage.daemon.send('GET', '/api/attention')) as {
    items: AttentionItem[];
  };
  const isRaised = JSON.stringify(items).includes(`"${pid}-`);
  print(`  ${isRaised ? 'held  ' : 'FAILED'} the crash is an item of the inbox`);
  return isRaised;
}

/** No other session than those that run. */
function listsExactly(stage: FoundStage, rows: readonly Row[]): boolean {
  const expected = rows.filter(({ gone }) => gone === null).map(({ pid }) => pid);
  const listed = stage.shown.listed;
  const isSame = [...listed].sort().join() === [...expected].sort().join();
  print(
    `  ${isSame ? 'held  ' : 'FAILED'} ${listed.length} of ${expected.length} sessions are listed`,
  );
  return isSame;
}

/** A daemon that starts, lists and shows everything changes nothing. */
async function staysStill(
  stage: FoundStage,
): Promise<{ isStill: boolean; unsteady: ReadonlySet<string> }> {
  await stage.daemon.end('SIGTERM');
  const { facts, unsteady } = await quietFacts(stage);
  await stage.daemon.start();
  const { sessions } = (await stage.daemon.send('GET', '/api/found')) as {
    sessions: { id: string }[];
  };
  const until = performance.now() + WATCHED_MS;
  while (performance.now() < until) {
    for (const { id } of sessions) {
      await stage.daemon.send('GET', `/api/found/${id}`);
      // In a terminal there is none to see.
      await stage.daemon.send('GET', `/api/found/${id}/screen`).catch(() => undefined);
    }
    await stage.daemon.send('GET', '/api/background');
    await pause(LOOKED_EVERY_MS);
  }
  const changed = differences(facts, await factsOf(stage)).filter((name) => !unsteady.has(name));
  const what = `${facts.size} files, screens, sizes and options are the same after ${sessions.length} sessions were watched`;
  print(`  ${changed.length === 0 ? 'held  ' : 'FAILED'} ${what}`);
  for (const name of unsteady) print(`    changes by itself, not compared: ${name}`);
  for (const name of changed) print(`    changed: ${name}`);
  return { isStill: changed.length === 0, unsteady };
}
