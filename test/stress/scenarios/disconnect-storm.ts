/** Thousands leave while they subscribe, each at another moment; nothing of them remains. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EdgeReady } from '../edge-protocol.ts';
import { FILTERS } from '../numbered-event.ts';
import { RawSocket } from '../raw-socket.ts';
import { exactly, type Scenario, settle, type Stage } from '../stage.ts';

const VISITS = 2_000;
const AT_ONCE = 100;
/** Leaves as soon as it has received this much. */
const MOMENTS = ['at once', 'welcome', 'subscribed', 'event', 'a page'] as const;
const PAGE_EVENTS = 100;
/** How far back most cursors are; one in fifty starts at the oldest event kept. */
const MISSED_EVENTS = 600;

export const disconnectStorm: Scenario = {
  name: 'disconnect during subscribe',
  async play(stage) {
    const { edge, count, note } = stage;
    const before = await edge.state();
    let isOver = false;
    const write = async () => {
      while (!isOver) await edge.append(10, 5, { everyMs: 5 });
    };
    const writing = write();
    const visits = count(VISITS);
    const moments = new Map<string, number>();
    let begun = 0;
    const visitor = async () => {
      while (begun < visits) {
        begun += 1;
        const moment = await visitOnce(edge.ready, before.head, stage);
        moments.set(moment, (moments.get(moment) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, visitor));
    isOver = true;
    note([...moments].map(([moment, times]) => `${times} left on ${moment}`).join(', '));
    await writing;
    const after = await settle(
      edge,
      ({ subscribers, openFiles, timers }) =>
        subscribers === 0 && timers === 0 && openFiles <= before.openFiles,
    );
    return [
      exactly(
        'visits',
        [...moments.values()].reduce((sum, times) => sum + times, 0),
        visits,
      ),
      exactly('subscriptions left', after.subscribers, 0),
      exactly('listeners left', after.listeners - before.listeners, 0),
      exactly('channels left', after.channels, 0),
      exactly('timers left', after.timers, 0),
      exactly('files left', after.openFiles - before.openFiles, 0),
    ];
  },
};

async function visitOnce(
  { port, token, epoch }: EdgeReady,
  head: number,
  { random }: Stage,
): Promise<string> {
  const leaveOn = random.pick(MOMENTS);
  const missed = head - random.int(0, MISSED_EVENTS);
  const after = random.chance(0.02) ? 0 : random.pick([null, missed]);
  const place = after === null || after === 0 ? { after } : { after, epoch };
  const subscribe = { type: 'subscribe', id: 1, ...random.pick(FILTERS), ...place };
  const abruptly = random.chance(0.5);
  let events = 0;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const socket = new RawSocket({
    port,
    token,
    frames: random.chance(0.1) ? [subscribe, subscribe] : [subscribe],
    onText: (text) => {
      const type = /^\{"type":"(\w+)"/.exec(text)?.[1];
      if (type === 'event') events += 1;
      if (type === leaveOn || (leaveOn === 'a page' && events === PAGE_EVENTS)) leave();
    },
  });
  if (leaveOn === 'at once') {
    for (let turns = random.int(0, 5); turns > 0; turns -= 1) await nextTurn();
  } else await Promise.race([left, socket.ended]);
  await socket.cut(abruptly);
  return leaveOn;
}
