/** Hundreds of subscribers are cut at once and resume from their cursors while events continue. */
import { FILTERS } from '../numbered-event.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, moment, type Scenario } from '../stage.ts';

const READERS = 400;
const CUTS = 4;
const TURNS = 240;
const EVENTS_A_TURN = 10;
const EVERY_MS = 10;
const MAX_GAPS = 0;
const MAX_DOUBLES = 0;

export const recoveryStorm: Scenario = {
  name: 'recovery storm',
  async play({ edge, random, count, note }) {
    const readers = Array.from(
      { length: count(READERS) },
      (_, n) => new Reader(edge.ready, { filter: n % FILTERS.length }),
    );
    const { head } = await edge.state();
    for (const reader of readers) {
      reader.cursor = head;
      reader.come();
    }
    const late = await left(readers, ({ isLive }) => isLive);
    const writing = edge.append(TURNS, EVENTS_A_TURN, { everyMs: EVERY_MS });
    for (let cut = 1; cut <= CUTS; cut += 1) {
      await moment(random.int(100, 500));
      const abruptly = random.chance(0.5);
      note(`cut ${readers.length} readers${abruptly ? ' with a reset' : ''}`);
      await Promise.all(readers.map(async (reader) => reader.cut(abruptly)));
      const pauseMs = random.int(0, 200);
      note(`resume after ${pauseMs} ms`);
      await moment(pauseMs);
      for (const reader of readers) reader.come();
    }
    await writing;
    const rows = (await edge.rows()).filter(([seq]) => seq > head);
    await left(readers, (reader) => reader.isThrough(rows));
    const judged = readers.map((reader) => reader.judge(rows));
    const sum = (key: 'gaps' | 'doubles') => judged.reduce((all, each) => all + each[key], 0);
    const resets = readers.reduce((all, reader) => all + reader.resets, 0);
    const received = readers.reduce((all, { seqs }) => all + seqs.length, 0);
    const closed = readers.filter(({ ends }) => ends.length > 0).length;
    await Promise.all(readers.map(async (reader) => reader.cut()));
    note(`${readers.length} readers received ${received} events of ${rows.length} rows`);
    return [
      exactly('readers that never went live', late, 0),
      atMost('gaps', sum('gaps'), MAX_GAPS),
      atMost('doubles', sum('doubles'), MAX_DOUBLES),
      exactly('resets', resets, 0),
      exactly('closed by the daemon', closed, 0),
    ];
  },
};
