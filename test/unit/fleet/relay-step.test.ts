/** What a relay does next, as values. */
import { expect, it } from 'vitest';
import type { RelayPosition } from '../../../server/fleet/carrier.ts';
import { dialDelay } from '../../../server/fleet/nats/link.ts';
import { nextRelayStep, type RelayStep } from '../../../server/fleet/relay.ts';

const OWN = { epoch: 'e2', instance: 'new', oldest: 11, head: 20 };

function at(last: number, change: Partial<RelayPosition> = {}): RelayPosition {
  return { epoch: 'e2', instance: 'new', last, revision: 9, ...change };
}

it.each<[string, RelayPosition | null, number | null, RelayStep]>([
  ['nothing was copied', null, null, { kind: 'send', after: 10 }],
  ['it ends in the log', at(15), null, { kind: 'send', after: 15 }],
  ['all was copied', at(20), null, { kind: 'rest' }],
  ['it ends before the oldest', at(3), null, { kind: 'send', after: 10 }],
  ['it is of another epoch', at(18, { epoch: 'e1' }), null, { kind: 'send', after: 10 }],
  ['another daemon wrote', at(15, { instance: 'old' }), null, { kind: 'check', revision: 9 }],
  ['another daemon wrote all', at(20, { instance: 'old' }), null, { kind: 'check', revision: 9 }],
  ['the other daemon is gone', at(15, { instance: 'old' }), 9, { kind: 'send', after: 15 }],
  ['it has written once more', at(15, { instance: 'old' }), 8, { kind: 'check', revision: 9 }],
])('FL1 FL2 FL5 when %s', (_, position, absent, step) => {
  expect(nextRelayStep(OWN, position, absent)).toEqual(step);
});

it('FL1 an empty log has nothing to copy', () => {
  const empty = { ...OWN, oldest: 1, head: 0 };
  expect(nextRelayStep(empty, null, null)).toEqual({ kind: 'rest' });
  const pruned = { ...OWN, oldest: 21, head: 20 };
  expect(nextRelayStep(pruned, null, null)).toEqual({ kind: 'rest' });
});

it('FL8 attempts to connect come less and less often, never less than every 4 s', () => {
  const delays = [0, 1, 2, 3, 10, 10_000].map((failures) => dialDelay(failures, 1));
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  expect(dialDelay(10_000, 0)).toBe(2_000);
});
