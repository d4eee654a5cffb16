/**
 * A daemon whose heap is too small for its work: many loops, many readers. It works, or it dies and
 * is restarted; then no reported event is lost and nothing is half written.
 */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { AgentCensus, agentsBelow } from '../../support/agents/agent-census.ts';
import { allRecords } from '../../support/drills/daemon-events.ts';
import { EventFollower } from '../../support/events/event-follower.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { TightDaemon } from '../../support/drills/tight-daemon.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const COUNT = sized({ short: 4, middle: 20, long: 20 });
const EVENTS = sized({ short: 100, middle: 1_500, long: 20_000 });
const DEATHS = sized({ short: 2, middle: 10, long: 100 });

it.each([64, 20])(
  'FA15 with a heap of %i MiB a daemon of many loops and readers loses nothing it published',
  async (heapMib) => {
    await seeded(async (random) => {
      await using world = new World({ NODE_OPTIONS: `--max-old-space-size=${heapMib}` });
      using census = new AgentCensus(join(world.root, 'tasks'));
      const tight = new TightDaemon(world, random, { loops: COUNT, mostDeaths: DEATHS });
      const { story, deaths } = tight;
      const follow = () => new EventFollower(() => tight.api, random);
      const followers = Array.from({ length: COUNT }, follow);
      try {
        const enough = async () => {
          await tight.round();
          return story.history.lastSeq >= EVENTS;
        };
        await until('enough has happened', enough, () => [story.history.lastSeq, deaths.length]);

        const api = await tight.relieved();
        await story.compare(api);
        const last = story.history.lastSeq;
        const all = (await allRecords(api)).slice(0, last);
        await until('the followers have all', () =>
          followers.every(({ lastSeq }) => lastSeq >= last),
        );
        for (const { records, resets } of followers) {
          expect(resets).toEqual([]);
          expect(records.slice(0, last)).toEqual(all);
        }
        expect({ wrong: story.wrong, broken: story.history.broken }).toEqual({
          wrong: [],
          broken: [],
        });
        expect(story.records.slice(0, last)).toEqual(all);
        expect(census.doubles).toEqual([]);
        const { sessions } = story.history;
        for (const name of sessions) await api.send('DELETE', `/api/sessions/${name}`);
        expect(agentsBelow(join(world.root, 'tasks'))).toEqual([]);
        const raw = new Sqlite(join(world.home, 'loopwatch.db'), { readonly: true });
        expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
        raw.close();
        console.log(
          `${heapMib} MiB, ${COUNT} loops and readers: ${last} events, deaths ${deaths.join()}`,
        );
      } finally {
        await Promise.all(followers.map(async (each) => each[Symbol.asyncDispose]()));
      }
    });
  },
);
