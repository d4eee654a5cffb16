/** Phased runs at work while their daemon is killed at random moments. */
import { expect, it } from 'vitest';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { RunDrill } from '../../support/drills/run-drill.ts';
import { World } from '../../support/daemon/world.ts';
import { leftProcesses } from '../../support/daemon/world-processes.ts';

/** At work at the same time; each that ends is followed by another. */
const RUNS = sized({ short: 3, middle: 4, long: 6 });
const KILLS = sized({ short: 10, middle: 200, long: 1_000 });
const SETTINGS = {
  LOOPWATCH_TASK_SLOTS: String(RUNS),
  LOOPWATCH_ERROR_DELAYS_MS: '20,20,20,20,20,20,20,20',
  LOOPWATCH_QUOTA_DELAYS_MS: '20',
};
const CONTINUES = 'Please continue where you left off.';

it('RN10 RN11 runs end as their scripts say, however often their daemon is killed', async () => {
  await seeded(async (random) => {
    await using world = new World(SETTINGS);
    const drill = new RunDrill(world, random, RUNS);
    while (drill.kills < KILLS) await drill.live();
    const runs = await drill.finish();
    let continued = 0;
    for (const [at, run] of runs.entries()) {
      const { kind = 'fixes' } = drill.runs[at] ?? {};
      const messages = drill.messages(run);
      const again = messages.filter((message) => message === CONTINUES).length;
      // After the limit, as the script says; any other follows a turn that was cut off.
      const cut = again - (kind === 'limited' ? 1 : 0);
      continued += cut;
      expect(summary(run), run.id).toEqual({
        status: 'done',
        reason: 'completed',
        proof: 'proven',
        // The turn that continues a fix is the second of its conversation, whose fix succeeds.
        iteration: kind === 'fixes' ? (cut > 0 ? run.iteration : 2) : 0,
        has_report: true,
      });
      const openings = messages.filter((message) => message !== CONTINUES);
      expect(new Set(openings).size, openings.join('\n')).toBe(openings.length);
      if (cut === 0) expect(openings).toHaveLength(kind === 'fixes' ? 5 : 3);
      const { ends, interactions } = await drill.told(run.id);
      expect([run.id, ends]).toEqual([run.id, 1]);
      expect(repeated(interactions)).toEqual([]);
    }
    expect(drill.broken).toEqual([]);
    await drill.stop();
    expect(await leftProcesses(world)).toEqual([]);
    const cut = [...drill.cut].map(([phase, count]) => `${count} in ${phase}`).join(', ');
    console.log(
      `${drill.kills} daemons killed: ${runs.length} runs (${cut}), ${continued} turns continued`,
    );
  });
});

function summary({ status, reason, proof, iteration, has_report }: Run) {
  return { status, reason, proof, iteration, has_report };
}

function repeated(entries: readonly string[]): string[] {
  return entries.filter((entry, at) => entries.indexOf(entry) !== at);
}
