import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PathReach } from '../../../server/lib/files/path-reach.ts';
import { LiveModules } from '../../../server/modules/watching/live-modules.ts';
import { turn } from '../../support/browser/ask-in.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';

const POLL_MS = 2_000;
const POLLS = 50;

/** How often the module of a loop is read in that many polls; only one below the roots is watched. */
async function readings(isBelowRoots: boolean): Promise<number> {
  const root = realpathSync(moduleDirectory());
  const path = join(root, 'one');
  mkdirSync(path);
  writeFileSync(join(path, '.target.md'), 'x');
  const clock = new ManualClock();
  let count = 0;
  const live = new LiveModules({
    log: { newestOfKind: () => [], write: (act) => act(() => 1) },
    clock,
    logger: { warn: () => undefined },
    roots: [root],
    home: null,
    isWorktree: () => false,
    inUse: () => [path],
    isBelowRoots: () => {
      count += 1;
      return isBelowRoots;
    },
    reach: new PathReach(clock),
    pollMs: POLL_MS,
  });
  onTestFinished(async () => live.dispose());
  await live.start();
  for (let ms = 0; ms < POLLS * POLL_MS; ms += 200) {
    clock.advance(200);
    await turn();
  }
  return count;
}

it('MO17 a module of a loop is read at each poll only while the system reports no changes of it', async () => {
  expect(await readings(false)).toBeGreaterThanOrEqual(POLLS);
  // Each fifth poll reads twice, and so does a scan, as often.
  expect(await readings(true)).toBeLessThanOrEqual((POLLS / 5 + 1) * 3);
});
