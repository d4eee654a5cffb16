/** A thousand peers get the close code of a restart and come back within a second. */
import { CloseCode } from '../../../shared/rules/wire.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, moment, type Scenario } from '../stage.ts';

const READERS = 1_000;
const WITHIN_MS = 1_000;
/** What a busy machine delays an idle daemon at most. */
const MAX_LAG_MS = 100;
const QUIET_MS = 300;
const MAX_LIVE_MS = 15_000;

export const reconnectStorm: Scenario = {
  name: 'reconnect storm',
  async play({ edge, random, count, note }) {
    const { head } = await edge.state();
    const readers = Array.from({ length: count(READERS) }, () => new Reader(edge.ready));
    for (const reader of readers) {
      reader.cursor = head;
      reader.come();
    }
    const late = await left(readers, ({ isLive }) => isLive);
    note(`restart with ${readers.length} readers`);
    await edge.restart();
    const unclosed = await left(readers, ({ isConnected }) => !isConnected);
    await edge.state();
    await moment(QUIET_MS);
    const { lagP99Ms: machineMs } = await edge.state();
    const began = performance.now();
    const writing = edge.append(100, 1, { everyMs: 10 });
    await Promise.all(
      readers.map(async (reader) => {
        await moment(random.int(0, WITHIN_MS));
        reader.come();
      }),
    );
    const absent = await left(readers, ({ isLive }) => isLive, MAX_LIVE_MS);
    const liveMs = performance.now() - began;
    await writing;
    await edge.append(1, 1);
    const { lagP99Ms } = await edge.state();
    const rows = (await edge.rows()).filter(([seq]) => seq > head);
    await left(readers, (reader) => reader.isThrough(rows));
    const judged = readers.map((reader) => reader.judge(rows));
    const codes = readers.flatMap(({ ends }) => ends.map(({ code }) => code));
    await Promise.all(readers.map(async (reader) => reader.cut()));
    return [
      exactly('readers that never went live', late, 0),
      exactly('readers without the restart code', unclosed, 0),
      exactly(
        'ended with 1012',
        codes.filter((code) => code === CloseCode.restart).length,
        readers.length,
      ),
      exactly('ended otherwise', codes.filter((code) => code !== CloseCode.restart).length, 0),
      exactly('readers that did not come back', absent, 0),
      atMost('all live after', liveMs, MAX_LIVE_MS, 'ms'),
      atMost('event loop late, p99', lagP99Ms, MAX_LAG_MS + machineMs, 'ms'),
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
