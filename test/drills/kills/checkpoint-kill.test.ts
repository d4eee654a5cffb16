/** kill -9 at the system calls by which checkpoints are saved. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { loadCheckpoint, loadPrevious } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { lockSession } from '../../../server/checkpoints/session-lock.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { checkpoint, namesBelow, newHome, NOW_MS } from '../../support/runs/checkpoint-home.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { strace, type Straced, WRITING_CALLS } from '../../support/drills/strace.ts';

/** Kills, each of a process of its own. */
const KILLS = sized({ short: 12, middle: 200, long: Infinity });
/** Threads of the program write too, not always equally often: some calls are not reached. */
const REACHED = sized({ short: 8, middle: 150, long: 150 });
/** Saves of each process: enough for more than a hundred calls. */
const SAVES = 20;
const TRACED = [...WRITING_CALLS, 'write', 'mkdir'];

/** Saves one after the other, each with a text as long as no single page, and notes each that is done. */
const SCRIPT = `
import { appendFileSync } from 'node:fs';
import { openCheckpoints } from '${pathToFileURL(join(packageRoot(), 'dist/server/checkpoints/library.js')).href}';
const [, , home, note, least] = process.argv;
const checkpoints = openCheckpoints(home);
for (let iteration = 1; iteration <= ${SAVES}; iteration += 1) {
  const exec_full_text = String(iteration).padStart(2, '0').repeat(20_000);
  checkpoints.save({ ...JSON.parse(least), iteration, exec_full_text });
  appendFileSync(note, '.');
}
`;

it('CK4 B4-2 kill -9 at any write of a save leaves the old checkpoint or the new one', async () => {
  await seeded(async (random) => {
    const script = join(newHome(), 'save.mjs');
    writeFileSync(script, SCRIPT);
    const run = async (home: string, inject?: Kill): Promise<Straced> => {
      saveCheckpoint(home, withText(0));
      writeFileSync(join(home, 'note'), '');
      const words = [script, home, join(home, 'note'), JSON.stringify(checkpoint())];
      return strace([process.execPath, ...words], { env: {}, cwd: home, inject, traced: TRACED });
    };
    const whole = await run(newHome());
    expect(whole.code).toBe(0);
    const seen = { old: 0, new: 0 };
    for (const inject of kills(whole, random)) {
      const home = newHome();
      const { signal } = await run(home, inject);
      if (signal === null) continue;
      const acknowledged = readFileSync(join(home, 'note'), 'utf8').length;
      const found = loadCheckpoint(home, 'one');
      expect([acknowledged, acknowledged + 1], JSON.stringify(inject)).toContain(found.iteration);
      expect(found.exec_full_text).toBe(withText(found.iteration).exec_full_text);
      seen[found.iteration === acknowledged ? 'old' : 'new'] += 1;
      continues(home, found.iteration);
    }
    expect(seen.old + seen.new).toBeGreaterThanOrEqual(REACHED);
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.new).toBeGreaterThan(0);
    console.log(`saves killed: ${seen.old} left the old checkpoint, ${seen.new} the new one`);
  });
});

type Kill = { call: string; what: 'signal=KILL'; when: string };

function withText(iteration: number) {
  const exec_full_text = String(iteration).padStart(2, '0').repeat(20_000);
  return checkpoint({ iteration, exec_full_text });
}

/** What a resume does first: it takes the session, cleans up after the kill, and saves. */
function continues(home: string, iteration: number): void {
  lockSession(home, 'one', NOW_MS)();
  saveCheckpoint(home, withText(iteration + 1));
  expect(loadCheckpoint(home, 'one').iteration).toBe(iteration + 1);
  expect(loadPrevious(home, 'one')?.iteration).toBe(iteration);
  expect(namesBelow(join(home, 'sessions/one'))).toEqual([
    'checkpoint.json',
    'checkpoint.previous.json',
  ]);
}

/** A sample of all calls; those that change names and those that make durable are always among it. */
function kills({ calls }: Straced, random: Random): Kill[] {
  const all = [...calls].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, n): Kill => {
      return { call, what: 'signal=KILL', when: String(n + 1) };
    }),
  );
  // Two fsync to a save: after its rename the second one, of the directory.
  const kept = all.filter(
    ({ call, when }) => /^(rename|link|fsync|unlink)/.test(call) && when === '4',
  );
  const others = all.filter((kill) => !kept.includes(kill));
  while (others.length > KILLS - kept.length) others.splice(random.int(0, others.length - 1), 1);
  return [...kept, ...others];
}
