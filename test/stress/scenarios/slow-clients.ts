/** Some stop acknowledging, some stop reading: they are paused, cut and resume; none misses an event. */
import { CloseCode } from '../../../shared/rules/wire.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, type Scenario, settle } from '../stage.ts';

const HEALTHY = 40;
const SILENT = 20;
/** The kernel takes some 4 MB for each of them before the daemon notices that they do not read. */
const DEAF = 4;
const EVENT_BYTES = 4_000;
const EVENTS_A_ROUND = 200;
const MAX_ROUNDS = 40;
/** How long the daemon lets a subscriber be behind. */
const PAUSED_LIMIT_MS = 30_000;

export const slowClients: Scenario = {
  name: 'slow clients',
  async play({ edge, count, note }) {
    const healthy = Array.from({ length: count(HEALTHY) }, () => new Reader(edge.ready));
    const silent = Array.from(
      { length: count(SILENT) },
      () => new Reader(edge.ready, { acks: 'once' }),
    );
    const deaf = Array.from({ length: DEAF }, () => new Reader(edge.ready, { acks: 'never' }));
    const slow = [...silent, ...deaf];
    const all = [...healthy, ...slow];
    const { head } = await edge.state();
    for (const reader of all) {
      reader.cursor = head;
      reader.come();
    }
    const late = await left(all, ({ isLive }) => isLive);
    for (const reader of deaf) reader.stall();
    let paused = 0;
    for (let round = 1; round <= MAX_ROUNDS && paused < slow.length; round += 1) {
      await edge.append(EVENTS_A_ROUND / 10, 10, { everyMs: 1, paddingBytes: EVENT_BYTES });
      paused = (await settle(edge, (state) => state.paused >= slow.length, 50)).paused;
      note(`round ${round}: ${paused} of ${slow.length} paused`);
    }
    const rows = (await edge.rows()).filter(([seq]) => seq > head);
    await left(healthy, (reader) => reader.isThrough(rows));
    const pausedNow = (await settle(edge, (state) => state.paused === slow.length)).paused;
    note(`${rows.length} events written; the clock jumps by ${PAUSED_LIMIT_MS} ms`);
    await edge.jump(PAUSED_LIMIT_MS);
    for (const reader of deaf) reader.resume();
    const uncut = await left(slow, ({ ends }) => ends.length > 0);
    const otherCodes = slow.filter(({ ends }) => ends[0]?.code !== CloseCode.slowConsumer).length;
    const healthyCut = healthy.filter(({ ends }) => ends.length > 0).length;
    for (const reader of slow) {
      reader.acks = 'always';
      reader.come();
    }
    await left(all, (reader) => reader.isThrough(rows));
    const judged = all.map((reader) => reader.judge(rows));
    await Promise.all(all.map(async (reader) => reader.cut()));
    return [
      exactly('readers that never went live', late, 0),
      exactly('slow ones paused', pausedNow, slow.length),
      exactly('slow ones left', uncut, 0),
      exactly('cut with another code than 4008', otherCodes, 0),
      exactly('healthy ones cut', healthyCut, 0),
      atMost(
        'gaps',
        judged.reduce((sum, { gaps }) => sum + gaps, 0),
        0,
      ),
      atMost(
        'doubles',
        judged.reduce((sum, { doubles }) => sum + doubles, 0),
        0,
      ),
    ];
  },
};
