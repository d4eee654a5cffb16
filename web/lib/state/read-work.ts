/** The whole of the live state in one reading: from the daemon, or from what other hosts keep of it. */
import type { Rest } from '$lib/client/rest.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { DaemonStatus } from '$shared/schema/model.ts';
import { createLiveWork, type LiveWork } from './live-work.ts';

/** The most items one answer holds. */
export const OPEN_ITEMS = { state: 'open', limit: '1000' };
/** Newest events that are read first: several times what is shown, since lists leave some out. */
const READ_BACK = 200;

/** The log of the daemon ends at `head`. Throws `RequestError`. */
export async function readWork(
  rest: Rest,
  epoch: string,
  head: number,
): Promise<{ work: LiveWork; daemon: DaemonStatus }> {
  const oldest = Math.max(0, head - READ_BACK);
  const after = oldest === 0 ? '0' : `${epoch}:${oldest}`;
  const [{ sessions }, { loops }, { items }, daemon, page] = await Promise.all([
    rest.call('listSessions'),
    rest.call('listAuto'),
    rest.call('listAttention', { query: OPEN_ITEMS }),
    rest.call('status'),
    rest.call('listEvents', { query: { after, limit: String(READ_BACK) } }),
  ]);
  const work = createLiveWork(sessions, loops, items, page.events as EventRecord[], Date.now());
  return { work, daemon };
}

/**
 * The copies that other hosts keep of a host that cannot be reached, and when it gave the oldest of
 * them, in milliseconds; null when it answers itself. Throws `RequestError`.
 */
export async function readCopies(rest: Rest): Promise<{ work: LiveWork; at: number } | null> {
  const [sessions, loops, attention] = await Promise.all([
    rest.read('listSessions'),
    rest.read('listAuto'),
    rest.read('listAttention', { query: OPEN_ITEMS }),
  ]);
  const times = [sessions, loops, attention].flatMap(({ copiedAt }) => copiedAt ?? []);
  if (times.length === 0) return null;
  const at = Math.min(...times);
  const { items } = attention.answer;
  const work = createLiveWork(sessions.answer.sessions, loops.answer.loops, items, [], at);
  return { work, at };
}
