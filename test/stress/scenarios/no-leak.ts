/** Everything before left nothing behind. */
import type { EdgeLink } from '../edge-link.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, type Scenario, settle } from '../stage.ts';

/** The log keeps its newest events in memory; with this many small ones it is full. */
const TAIL_EVENTS = 10_000;
const MAX_HEAP_GROWTH_MB = 8;
const MB = 1024 * 1024;

/** Records the edge before all scenarios; the scenario it returns compares at the end. */
export async function noLeak(edge: EdgeLink): Promise<Scenario> {
  await fillTail(edge);
  await visit(edge);
  const before = await edge.state();
  return {
    name: 'no leak',
    async play({ note }) {
      await fillTail(edge);
      const after = await settle(
        edge,
        ({ subscribers, openFiles, heapBytes }) =>
          subscribers === 0 &&
          openFiles <= before.openFiles &&
          heapBytes - before.heapBytes <= MAX_HEAP_GROWTH_MB * MB,
      );
      note(`heap ${before.heapBytes / MB} MB before, ${after.heapBytes / MB} MB after`);
      return [
        exactly('subscribers', after.subscribers, 0),
        exactly('listeners', after.listeners - before.listeners, 0),
        exactly('channels', after.channels, 0),
        exactly('timers', after.timers, 0),
        exactly('files left', after.openFiles - before.openFiles, 0),
        atMost('heap grown', (after.heapBytes - before.heapBytes) / MB, MAX_HEAP_GROWTH_MB, 'MB'),
      ];
    },
  };
}

async function fillTail(edge: EdgeLink): Promise<void> {
  await edge.append(TAIL_EVENTS / 500, 500);
}

/** One of each, so that what is created once exists before the first measurement. */
async function visit(edge: EdgeLink): Promise<void> {
  const reader = new Reader(edge.ready);
  reader.come();
  await left([reader], ({ isLive }) => isLive);
  await reader.cut();
  await settle(edge, ({ subscribers }) => subscribers === 0);
}
