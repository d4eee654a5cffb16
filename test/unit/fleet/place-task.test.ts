/** The choice of a host as a value: the same for any order, and never one that does not fit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Candidate,
  placeTask,
  type PlacementRequest,
} from '../../../server/fleet/place-task.ts';
import { PlacementCandidates } from '../../../server/fleet/placement-candidates.ts';
import { judgedHostText } from '../../../shared/words/work/placement-text.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { factsOf } from '../../support/fleet/fleet-rig.ts';

const KEYS = ['a', 'b', 'c'];
const LABELS = ['gpu', 'arm', 'big'];

function host(name: string, more: Partial<Candidate> = {}): Candidate {
  return {
    id: `id-${name}`,
    name,
    isHere: false,
    isReachable: true,
    isSilent: false,
    labels: [],
    repositories: KEYS,
    freeSlots: 1,
    queueLength: 0,
    planLeft: null,
    ...more,
  };
}

function wanted(more: Partial<PlacementRequest> = {}): PlacementRequest {
  return {
    host: 'any',
    labels: [],
    repositories: ['a'],
    hasDependencies: false,
    isOfHome: false,
    ...more,
  };
}

/** Mostly all, so that several hosts fit. */
const mostOf = (all: string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(all) }, { weight: 1, arbitrary: fc.subarray(all) });
const rarely = fc.constantFrom(false, false, false, false, true);
const CANDIDATE = fc.record({
  name: fc.constantFrom('alpha', 'beta', 'gamma'),
  isReachable: rarely.map((is) => !is),
  isSilent: rarely,
  labels: mostOf(LABELS),
  repositories: mostOf(KEYS),
  freeSlots: fc.constantFrom(0, 0, 1, 3),
  queueLength: fc.integer({ min: 0, max: 3 }),
  planLeft: fc.constantFrom(null, null, 0, 5, 50),
});
const HOSTS = fc
  .tuple(fc.array(CANDIDATE, { maxLength: 6 }), fc.nat())
  .map(([all, here]) =>
    all.map((each, n) => ({ ...each, id: `id${n}`, isHere: n === here % all.length })),
  );
const REQUEST = fc.record({
  host: fc.constantFrom('any', 'any', 'any', 'alpha', 'absent'),
  labels: fc.subarray(LABELS),
  repositories: fc.array(fc.constantFrom(...KEYS, ...KEYS, null), { minLength: 1, maxLength: 2 }),
  hasDependencies: rarely,
  isOfHome: rarely,
});

it('FO2 FO3 FO4 the choice is total, the same for any order, and only of hosts that fit', () => {
  fc.assert(
    fc.property(REQUEST, HOSTS, fc.nat(), (request, hosts, turn) => {
      const decision = placeTask(request, hosts);
      const turned = [...hosts.slice(turn % 7), ...hosts.slice(0, turn % 7)].reverse();
      expect(placeTask(request, turned)).toEqual(decision);
      expect(decision.hosts).toHaveLength(hosts.length);
      expect(decision.hosts.every(({ reasons }) => reasons.length > 0)).toBe(true);
      const fits = (each: Candidate) =>
        (request.host === 'any' || request.host === each.name) &&
        each.isReachable &&
        !each.isSilent &&
        request.labels.every((label) => each.labels.includes(label)) &&
        (each.isHere ||
          (!request.hasDependencies &&
            !request.isOfHome &&
            request.repositories.every((key) => key !== null && each.repositories.includes(key))));
      const fitting = hosts.filter(fits);
      const chosen = hosts.find(({ id }) => id === decision.host);
      expect(decision.host === null).toBe(fitting.length === 0);
      if (chosen === undefined) return;
      expect(fitting).toContain(chosen);
      const isFull = (each: Candidate) => each.freeSlots === 0 || each.planLeft === 0;
      if (!isFull(chosen)) return;
      expect(fitting.every(isFull)).toBe(true);
      const shortest = Math.min(...fitting.map(({ queueLength }) => queueLength));
      expect(chosen.queueLength).toBe(shortest);
    }),
    { numRuns: 2_000 },
  );
});

it('FO4 the freest host is chosen, one with little left of its plan last, this one in a tie', () => {
  const choice = (...hosts: Candidate[]) => placeTask(wanted(), hosts).host;
  expect({
    free: choice(host('a', { freeSlots: 1 }), host('b', { freeSlots: 2 })),
    scarce: choice(host('a', { freeSlots: 3, planLeft: 4 }), host('b')),
    plan: choice(host('a', { planLeft: 30 }), host('b', { planLeft: 60 })),
    here: choice(host('a'), host('b', { isHere: true })),
    name: choice(host('b'), host('a')),
    full: choice(
      host('a', { freeSlots: 0, queueLength: 2 }),
      host('b', { freeSlots: 0, queueLength: 1 }),
    ),
  }).toEqual({
    free: 'id-b',
    scarce: 'id-b',
    plan: 'id-b',
    here: 'id-b',
    name: 'id-a',
    full: 'id-b',
  });
});

it('FO3 each host has its reasons in words', () => {
  const { hosts } = placeTask(wanted({ labels: ['gpu'] }), [
    host('plain', { repositories: [] }),
    host('gone', { labels: ['gpu'], isReachable: false }),
    host('best', { labels: ['gpu'], freeSlots: 2, queueLength: 1, planLeft: 40, isHere: true }),
  ]);
  expect(hosts.map((each) => `${each.name}: ${judgedHostText(each)}`)).toEqual([
    'best: 2 free slots, 1 in its queue, 40 % of its plan left, was asked',
    'gone: cannot be reached',
    'plain: has no label gpu, does not have the repository',
  ]);
});

it('FO4 what was sent to a host counts until it says again how busy it is', () => {
  const clock = new ManualClock();
  const candidates = new PlacementCandidates(clock);
  const facts = factsOf('two', { free_slots: 1 });
  let heardMs = clock.monotonic();
  const hosts = { list: () => [{ facts, heardMs, heardAt: '', isReachable: true }] };
  const busy = () => {
    const how = { isConnected: true, silent: new Set<string>() };
    const two = candidates.list(factsOf('one'), hosts, how)[1];
    return [two?.freeSlots, two?.queueLength];
  };
  expect(busy()).toEqual([1, 0]);
  candidates.sent(facts.id);
  candidates.sent(facts.id);
  expect(busy()).toEqual([0, 1]);
  clock.advance(1);
  heardMs = clock.monotonic();
  expect(busy()).toEqual([1, 0]);
});
