/** Frames beyond the limit end their sender with 1009 and affect no other peer. */
import { MAX_FRAME_BYTES } from '../../../shared/rules/wire.ts';
import { RawSocket } from '../raw-socket.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, type Scenario } from '../stage.ts';

const SENDERS = 100;
const OTHERS = 20;
const TOO_BIG = 1009;

export const oversizedFrames: Scenario = {
  name: 'oversized frames',
  async play({ edge, random, count, note }) {
    const { head } = await edge.state();
    const others = Array.from({ length: count(OTHERS) }, () => new Reader(edge.ready));
    for (const reader of others) {
      reader.cursor = head;
      reader.come();
    }
    const late = await left(others, ({ isLive }) => isLive);
    const writing = edge.append(50, 10, { everyMs: 5 });
    let welcomes = 0;
    let answers = 0;
    const sender = () =>
      new RawSocket({
        ...edge.ready,
        onText: (text) => {
          if (text.startsWith('{"type":"welcome"')) welcomes += 1;
          else answers += 1;
        },
      });
    const allowed = Array.from({ length: count(SENDERS) }, sender);
    const tooBig = Array.from({ length: count(SENDERS) }, sender);
    await left([allowed, tooBig], () => welcomes === allowed.length + tooBig.length);
    for (const socket of allowed) socket.sendText('x'.repeat(MAX_FRAME_BYTES));
    for (const socket of tooBig) {
      const over = random.pick([1, 1, 1_000, MAX_FRAME_BYTES]);
      note(`a frame of ${MAX_FRAME_BYTES} + ${over} bytes`);
      socket.sendText('x'.repeat(MAX_FRAME_BYTES + over));
    }
    const ends = await Promise.all(tooBig.map(async ({ ended }) => ended));
    await left([allowed], () => answers === allowed.length);
    await writing;
    const rows = (await edge.rows()).filter(([seq]) => seq > head);
    await left(others, (reader) => reader.isThrough(rows));
    const judged = others.map((reader) => reader.judge(rows));
    await Promise.all([...allowed, ...others].map(async (each) => each.cut()));
    return [
      exactly('others that never went live', late, 0),
      exactly('frames of 64 KiB answered', answers, allowed.length),
      exactly(
        'one byte or more over, ended with 1009',
        ends.filter(({ code }) => code === TOO_BIG).length,
        tooBig.length,
      ),
      exactly('others cut', others.filter((reader) => reader.ends.length > 0).length, 0),
      atMost(
        'gaps of the others',
        judged.reduce((sum, { gaps }) => sum + gaps, 0),
        0,
      ),
    ];
  },
};
