/** A daemon killed before each of its system calls while it starts. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { KillScene, killStarts } from '../../support/drills/kill-scene.ts';
import { World } from '../../support/daemon/world.ts';

it('FA12, RC1, RC2 a daemon killed anywhere in its start is followed by one that adopts its loop', async () => {
  const scene = new KillScene();
  await killStarts('it starts', scene.world, {
    isFresh: false,
    async check(api) {
      await scene.run(api);
      expect({ agents: scene.agents, launches: scene.launches }).toEqual({
        agents: 1,
        launches: 1,
      });
    },
  });
});

it('FA12 ST1 a daemon killed anywhere in its first start is followed by one that creates the home', async () => {
  const world = new World();
  await killStarts('it starts for the first time', world, {
    isFresh: true,
    prepare: () => rmSync(world.home, { recursive: true, force: true }),
    async check(api) {
      const types = (await api.events()).map(({ type }) => type);
      expect(new Set(types)).toEqual(new Set(['daemon.started']));
    },
  });
});

it('FA12 EV2 EV9 a daemon killed anywhere while it removes old events loses none that it keeps', async () => {
  const world = new World({ LOOPWATCH_RETENTION_EVENTS: '100' });
  await killStarts('it removes old events', world, {
    isFresh: true,
    prepare() {
      using home = new EventHome(world.home);
      fill(home.open({}, systemClock).log, 300);
    },
    async check(api) {
      const { head } = (await api.get('/api/status')).body as { head: number };
      const seqs = (await api.events()).map(({ seq }) => seq);
      const oldest = head - seqs.length + 1;
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, n) => oldest + n));
      expect(seqs.length).toBeGreaterThanOrEqual(100);
      expect(seqs.length).toBeLessThan(110);
    },
  });
});
