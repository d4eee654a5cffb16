/** Thousands leave while they subscribe, each at another moment; nothing of them is left. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EdgeReady } from '../edge-protocol.ts';
import { FILTERS } from '../numbered-event.ts';
import { RawSocket } from '../raw-socket.ts';
import { exactly, type Scenario, settle, type Stage } from '../stage.ts';

const VISITS = 3_000;
const AT_ONCE = 100;
/** Leaves as soon as it has heard so much. */
const MOMENTS = ['at once', 'welcome', 'subscribed', 'event', 'a page'] as const;
const PAGE_EVENTS = 300;

export const disconnectStorm: Scenario = {
  name: 'disconnect during subscribe',
  async play(stage) {
    const { edge, count, note } = stage;
    const before = await edge.state();
    const writing = edge.append(count(500), 5, { everyMs: 5 });
    const visits = count(VISITS);
    const moments = new Map<string, number>();
    for (let visit = 0; visit < visits; visit += AT_ONCE) {
      const size = Math.min(AT_ONCE, visits - visit);
      await Promise.all(
        Array.from({ length: size }, async () => {
          const moment = await visitOnce(edge.ready, stage);
          moments.set(moment, (moments.get(moment) ?? 0) + 1);
        }),
      );
    }
    note([...moments].map(([moment, times]) => `${times} left on ${moment}`).join(', '));
    await writing;
    const after = await settle(
      edge,
      ({ subscribers, openFiles, paused }) =>
        subscribers === 0 && paused === 0 && openFiles <= before.openFiles,
    );
    return [
      exactly('visits', [...moments.values()].reduce((sum, times) => sum + times, 0), visits),
      exactly('subscriptions left', after.subscribers, 0),
      exactly('listeners left', after.listeners - before.listeners, 0),
      exactly('timers left', after.paused, 0),
      exactly('files left', after.openFiles - before.openFiles, 0),
    ];
  },
};

async function visitOnce({ port, token, epoch }: EdgeReady, { random }: Stage): Promise<string> {
  const leaveOn = random.pick(MOMENTS);
  const after = random.pick([0, null, random.int(1, 1_000)]);
  const place = after === null || after === 0 ? { after } : { after, epoch };
  const subscribe = { type: 'subscribe', id: 1, ...random.pick(FILTERS), ...place };
  const abruptly = random.chance(0.5);
  let events = 0;
  let leave = () => undefined as void;
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
  } else await left;
  await socket.cut(abruptly);
  return leaveOn;
}
