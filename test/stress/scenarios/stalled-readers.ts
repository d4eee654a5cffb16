/** A thousand connections that read nothing cost the reading ones neither time nor events. */
import { percentile } from '../../../bench/report/statistics.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import type { EdgeLink } from '../edge-link.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, type Scenario, settle } from '../stage.ts';

const HEALTHY = 100;
const STALLED = 1_000;
/** The pace of a busy machine. */
const EVENTS_A_SECOND = 100;
const MEASURED_TURNS = 100;
/** A subscriber this many events behind is paused. */
const BEHIND_EVENTS = 2_000;
const PAUSED_LIMIT_MS = 30_000;
const MAX_BEHIND_MS = 60_000;
const MAX_SLOWDOWN = 2;
/** Below this the machine decides, and no comparison means anything. */
const LEAST_P99_MS = 15;
const MAX_GROWTH_MB = 150;
const MB = 1024 * 1024;

export const stalledReaders: Scenario = {
  name: 'stalled readers',
  async play({ edge, count, note }) {
    const start = await edge.state();
    let ages: number[] = [];
    const healthy = Array.from(
      { length: count(HEALTHY) },
      () => new Reader(edge.ready, { onAge: (ms) => ages.push(ms) }),
    );
    for (const reader of healthy) {
      reader.cursor = start.head;
      reader.come();
    }
    const late = await left(healthy, ({ isLive }) => isLive);
    const measure = async () => {
      ages = [];
      await append(edge, MEASURED_TURNS);
      return percentile(ages, 0.99);
    };
    const alone = await measure();
    const stalled = Array.from(
      { length: count(STALLED) },
      () => new Reader(edge.ready, { acks: 'once' }),
    );
    const { head } = await edge.state();
    for (const reader of stalled) {
      reader.cursor = head;
      reader.come();
    }
    const absent = await left(stalled, ({ isLive }) => isLive);
    for (const reader of stalled) reader.stall();
    const before = await edge.state();
    const began = performance.now();
    await edge.append(BEHIND_EVENTS / 20 + 1, 20, { everyMs: 5 });
    const behind = await settle(edge, ({ paused }) => paused === stalled.length, 10_000);
    note(`${behind.paused} of ${stalled.length} stalled are paused`);
    const during = await measure();
    const full = await edge.state();
    await edge.jump(PAUSED_LIMIT_MS);
    const freed = await settle(
      edge,
      ({ subscribers }) => subscribers <= start.subscribers + healthy.length,
    );
    const behindMs = PAUSED_LIMIT_MS + performance.now() - began;
    for (const reader of stalled) reader.resume();
    const uncut = await left(stalled, ({ ends }) => ends.length > 0);
    const after = await measure();
    const rows = (await edge.rows()).filter(([seq]) => seq > start.head);
    await left(healthy, (reader) => reader.isThrough(rows));
    const judged = healthy.map((reader) => reader.judge(rows));
    const otherCodes = stalled.filter(
      ({ ends }) => ends[0]?.code !== CloseCode.slowConsumer,
    ).length;
    await Promise.all(healthy.map(async (reader) => reader.cut()));
    note(
      `p99 alone ${alone.toFixed(1)} ms, with them ${during.toFixed(1)}, after ${after.toFixed(1)}`,
    );
    const base = Math.max(alone, after, LEAST_P99_MS);
    return [
      exactly('readers that never went live', late + absent, 0),
      exactly('stalled ones paused', behind.paused, stalled.length),
      atMost('healthy p99', during, MAX_SLOWDOWN * base, 'ms'),
      exactly('healthy ones cut', healthy.filter(({ ends }) => ends.length > 0).length, 0),
      exactly(
        'gaps of the healthy',
        judged.reduce((sum, { gaps }) => sum + gaps, 0),
        0,
      ),
      exactly(
        'subscriptions of the stalled left',
        freed.subscribers - start.subscribers - healthy.length,
        0,
      ),
      atMost('behind for', behindMs, MAX_BEHIND_MS, 'ms'),
      exactly('stalled ones left', uncut, 0),
      exactly('cut with another code than 4008', otherCodes, 0),
      atMost('memory grown', (full.rssBytes - before.rssBytes) / MB, MAX_GROWTH_MB, 'MB'),
    ];
  },
};

async function append(edge: EdgeLink, turns: number): Promise<void> {
  await edge.append(turns, 1, { everyMs: 1_000 / EVENTS_A_SECOND });
}
