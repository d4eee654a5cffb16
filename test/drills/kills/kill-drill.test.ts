/**
 * Daemon, agents, terminals and clients are killed at random moments, repeatedly, in any mix; see
 * `kill-daemon.slow.test.ts` for single moments.
 */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { AgentCensus } from '../../support/agents/agent-census.ts';
import { EventFollower } from '../../support/events/event-follower.ts';
import { type AcknowledgedStop, KillDrill } from '../../support/drills/kill-drill.ts';
import type { LoopHistory } from '../../support/auto/loop-history.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const KILLS = sized({ short: 10, middle: 60, long: 2_500 });
/**
 * A long run uses several homes: a start is identified by its time limit, and there are not 10,000
 * of those.
 */
const HOMES = sized({ short: 1, middle: 1, long: 4 });

it.each(Array.from({ length: HOMES }, (_, home) => home + 1))(
  'RC1 RC2 RC3 RC4 RC5 no kill -9 loses or doubles an event, a start or a stop (home %i)',
  async () => {
    await seeded(async (random) => {
      await using world = new World();
      using census = new AgentCensus(join(world.root, 'tasks'));
      const drill = new KillDrill(world, random);
      await using follower = new EventFollower(() => drill.api, random);
      while (drill.kills < KILLS) {
        await drill.live();
        const { wrong } = drill;
        expect({ kills: drill.kills, wrong, broken: drill.history.broken }).toEqual({
          kills: drill.kills,
          wrong: [],
          broken: [],
        });
      }
      await drill.finish();
      const { runs } = drill.history;
      const numbers = runs.map(({ number }) => number);
      const launches = [...drill.launches()];
      await until('the follower has all', () => follower.lastSeq >= drill.history.lastSeq);
      const all = await drill.allRecords();
      drill.watch.start();
      await until('the watch has all', () => drill.watch.seqs.length >= all.length);
      expect({
        doubleAgents: census.doubles,
        wrong: drill.wrong,
        broken: drill.history.broken,
        resets: follower.resets,
        lostEvents: missing(drill.records, all),
        startsTwice: numbers.filter((number, index) => numbers.indexOf(number) !== index),
        lostStarts: missing(drill.acknowledgedStarts, numbers),
        lostStops: drill.acknowledgedStops.filter((stop) => !isKept(drill.history, stop)),
        notEnded: runs.filter(({ status }) => status === 'live'),
        launchedTooOften: launches.filter(
          ([directory, count]) => count > (drill.history.launches.get(directory) ?? 0),
        ),
      }).toEqual({
        doubleAgents: [],
        wrong: [],
        broken: [],
        resets: [],
        lostEvents: [],
        notEnded: [],
        startsTwice: [],
        lostStarts: [],
        lostStops: [],
        launchedTooOften: [],
      });
      expect(follower.records).toEqual(all);
      expect(drill.watch.seqs).toEqual(all.map((_, index) => index + 1));
      console.log(
        `${drill.kills} kills ${JSON.stringify(drill.killed)}: ${all.length} events, ${runs.length} runs, ` +
          `${drill.acknowledgedStarts.length} starts and ${drill.acknowledgedStops.length} stops acknowledged, ` +
          `${launches.reduce((sum, [, count]) => sum + count, 0)} agents launched`,
      );
      await drill.stop();
      expect(rowsLeft(world)).toEqual({ loops: 0, sessions: 0, integrity: 'ok' });
    });
  },
);

/** Whether the loop at that seq has its stop request by the seq that was answered. */
function isKept(history: LoopHistory, { session, seq }: AcknowledgedStop): boolean {
  const stopSeq = history.runAt(session, seq)?.stopSeq ?? null;
  return stopSeq !== null && stopSeq <= seq;
}

function missing<Item>(wanted: readonly Item[], there: readonly Item[]): Item[] {
  const set = new Set(there);
  return wanted.filter((item) => !set.has(item));
}

function rowsLeft(world: World) {
  const raw = new Sqlite(join(world.home, 'loopwatch.db'));
  const count = (table: string) => raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const left = {
    loops: count('task_auto'),
    sessions: count('sessions'),
    integrity: raw.pragma('integrity_check', { simple: true }),
  };
  raw.close();
  return left;
}
