/** The table of the loop: total, without dead ends, and every way through it ends. */
import { expect, it } from 'vitest';
import {
  entryOf,
  isRouted,
  routeAfter,
  statusAfter,
} from '../../../shared/rules/loops/loop-routing.ts';
import {
  ENTRIES,
  LOOP_CHECKPOINTS,
  LOOP_RESULTS,
  LOOP_STEPS,
  ROUTES,
  STOP,
  TASK_PHASES,
  TASK_STATUSES,
} from '../../../shared/rules/loops/loop-steps.ts';
import { AutoSignal, unlistedField } from '../../../shared/schema/loops/auto-signal.ts';
import { Life, RUNNING } from '../../support/auto/loop-life.ts';
import { seeded } from '../../support/house/random.ts';

const RESULTS = [...LOOP_RESULTS, '(step-1)', '(step-12)'];
const TRIPLES = LOOP_STEPS.flatMap((step) =>
  RESULTS.flatMap((result) => LOOP_CHECKPOINTS.map((checkpoint) => ({ step, result, checkpoint }))),
);

/** A place in the loop: what is done next, and at which checkpoint. */
interface Place {
  next: string;
  checkpoint: string;
}

function waysFrom({ next, checkpoint }: Place) {
  return RESULTS.flatMap((result) => {
    const found = routeAfter(next, result, checkpoint);
    return 'refused' in found ? [] : [found];
  });
}

/** Every place that can be reached from these. */
function reachable(starts: readonly Place[], ways = waysFrom): Map<string, Place> {
  const found = new Map<string, Place>();
  const open = [...starts];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const key = `${place.next} ${place.checkpoint}`;
    if (found.has(key)) continue;
    found.set(key, place);
    open.push(...ways(place));
  }
  return found;
}

it('LS1 each step, result and checkpoint has one row, or a refusal that says what is allowed', () => {
  for (const { step, result, checkpoint } of TRIPLES) {
    const rows = ROUTES.filter(
      (row) =>
        row.step === step &&
        row.at.includes(checkpoint) &&
        ['*', result.replace(/^\(step-\d+\)$/, '(mid-exec)')].includes(row.result),
    );
    expect(rows.length).toBeLessThan(2);
    const found = routeAfter(step, result, checkpoint);
    if ('refused' in found) {
      expect(rows).toEqual([]);
      expect(found.refused).toContain(step);
      expect(found.allowed.length).toBeGreaterThan(0);
    } else {
      expect(found.route).toBe(rows[0]);
    }
  }
});

it.each([
  ['check', 'ACCEPT', 'post-plan', ['PASS', 'NEEDS_REVISION', 'BLOCKED']],
  ['check', 'PASS', 'mid-exec', ['CONTINUE', 'NEEDS_FIX', 'REPLAN', 'BLOCKED']],
  ['check', 'CONTINUE', 'post-exec', ['NEEDS_FIX', 'REPLAN', 'ACCEPT', 'BLOCKED']],
  ['exec', 'PASS', '', ['(done)', '(mid-exec)', '(blocked)', '(step-N)']],
  ['merge', '(done)', '', ['success', 'conflict']],
  ['merge', 'success', 'post-exec', ['']],
  ['deploy', 'PASS', '', LOOP_STEPS],
  ['check', 'PASS', 'sometime', LOOP_CHECKPOINTS],
  ['exec', '(step-)', '', ['(done)', '(mid-exec)', '(blocked)', '(step-N)']],
  ['constructor', 'toString', '__proto__', LOOP_STEPS],
])('LS1 %s with %s at "%s" is refused', (step, result, checkpoint, allowed) => {
  expect(routeAfter(step, result, checkpoint)).toMatchObject({ allowed });
});

it('LS1 an allowed answer of a refusal is allowed', () => {
  for (const { step, result, checkpoint } of TRIPLES) {
    const found = routeAfter(step, result, checkpoint);
    if (!('refused' in found)) continue;
    const tried = found.allowed.map((word) => {
      const isCheckpoint = found.refused.includes('never at');
      const chosen = word === '(step-N)' ? '(step-7)' : word;
      if (!isCheckpoint) return routeAfter(step, chosen, checkpoint);
      return RESULTS.map((each) => routeAfter(step, each, word)).find((way) => 'next' in way);
    });
    expect(tried.every((way) => way !== undefined && !('refused' in way))).toBe(true);
  }
});

it('LS2 each status in each phase enters the loop at one place', () => {
  for (const status of TASK_STATUSES) {
    for (const phase of TASK_PHASES) {
      const rows = ENTRIES.filter((row) => row.status === status && row.phases.includes(phase));
      expect(rows).toEqual([entryOf(status, phase)]);
    }
  }
});

it('LS2 every step can be reached from the entries, and the end from every place', () => {
  const places = reachable(ENTRIES);
  const steps = new Set([...places.values()].map(({ next }) => next));
  expect([...steps].sort()).toEqual([...LOOP_STEPS, STOP].sort());
  for (const place of places.values()) {
    expect([place, reachable([place]).has(`${STOP} `)]).toEqual([place, true]);
    if (place.next !== STOP) expect(waysFrom(place)).not.toEqual([]);
  }
});

it('LS11 without the results that return to an earlier step the loop has no circle', () => {
  const onward = (place: Place) => waysFrom(place).filter(({ route }) => !route.isBack);
  for (const start of reachable(ENTRIES).values()) {
    const after = onward(start).flatMap((place) => [...reachable([place], onward).values()]);
    expect(after).not.toContainEqual(expect.objectContaining(start));
  }
});

it('LS2, LS11 with any reports of the agent, a loop ends at its iteration limit or before', async () => {
  await seeded((random) => {
    for (let life = 0; life < 300; life += 1) {
      const limit = random.int(1, 40);
      let status = { status: random.pick(TASK_STATUSES), phase: random.pick(TASK_PHASES) };
      let place: Place = entryOf(status.status, status.phase);
      let iteration = 0;
      // A daemon stops the loop at its limit, but for the report after a merge.
      while (place.next !== STOP && (iteration < limit || place.next === 'report')) {
        const way = random.pick(waysFrom(place));
        status = statusAfter(way.route, status);
        place = way;
        iteration += 1;
        // A crash: the files alone say where it continues.
        if (random.chance(0.1)) place = entryOf(status.status, status.phase);
      }
      expect(iteration).toBeLessThanOrEqual(limit + 1);
    }
  });
});

it('LS3 after a crash the status leads to the next step, or to a check that finds it', () => {
  const starts = TASK_STATUSES.flatMap((status) => TASK_PHASES.map((phase) => ({ status, phase })));
  const elsewhere = starts.flatMap((before) =>
    TRIPLES.flatMap(({ step, result, checkpoint }) => {
      const way = routeAfter(step, result, checkpoint);
      const isEntry = entryOf(before.status, before.phase).next === step;
      if ('refused' in way || !isEntry) return [];
      const after = statusAfter(way.route, before);
      const { next } = entryOf(after.status, after.phase);
      return next === way.next || next === 'check' ? [] : [`${step} ${result}: ${next}`];
    }),
  );
  // The report is written again rather than not at all.
  expect([...new Set(elsewhere)].filter((each) => !each.startsWith('report '))).toEqual([]);
});

it('LS12 a complete or cancelled module stays so, after any report', () => {
  for (const status of ['complete', 'cancelled'] as const) {
    for (const route of ROUTES) {
      expect(statusAfter(route, { status, phase: '' })).toEqual({ status, phase: '' });
    }
  }
});

it('SG7, SG10 a signal the table routes is not suspicious, with either checkpoint or none', () => {
  for (const { step, result, checkpoint } of TRIPLES) {
    const way = routeAfter(step, result, checkpoint);
    if ('refused' in way) continue;
    for (const named of [checkpoint, way.checkpoint, '']) {
      expect(isRouted({ step, result, next: way.next, checkpoint: named })).toBe(true);
    }
    const others = [...LOOP_STEPS, STOP].filter((next) => next !== way.next);
    for (const next of others) expect(isRouted({ step, result, next, checkpoint: '' })).toBe(false);
  }
});

it.each([
  ['step', 'verify', { result: '(pass)', next: 'check' }],
  ['next', 'research', { step: 'check', result: 'PASS' }],
  ['result', '(partial)', { step: 'check', next: 'exec' }],
  ['checkpoint', 'step-3', { step: 'check', result: 'PASS', next: 'exec' }],
] as const)('SG9 a %s of %s is known to the extended profile alone', (field, value, more) => {
  const signal = AutoSignal.parse({ ...more, [field]: value, timestamp: '2026-01-01T00:00:00Z' });
  expect(unlistedField(signal, 'core')).toBe(field);
  expect(unlistedField(signal, 'extended')).toBe(null);
});

it.each([
  ['research', '(collected)', 'plan', 'post-research'],
  ['plan', '(generated)', 'verify', 'quick'],
  ['exec', '(step-3)', 'verify', 'step-3'],
  ['verify', '(fail)', 'check', 'post-exec'],
  ['annotate', '(processed)', 'check', 'post-plan'],
])(
  'SG7, SG9 %s %s, next %s is routine in the extended profile',
  (step, result, next, checkpoint) => {
    const signal = { step, result, next, checkpoint };
    expect([isRouted(signal, 'core'), isRouted(signal, 'extended')]).toEqual([false, true]);
  },
);

it('LS1 the supervisor ends a loop for the cause the table names', () => {
  for (const { step, result, checkpoint } of TRIPLES) {
    const way = routeAfter(step, result, checkpoint);
    if ('refused' in way || way.next !== STOP || way.route.result === '*') continue;
    const life = new Life({}, RUNNING);
    life.signal({ step: step, result: way.route.result, next: STOP });
    expect(life.state?.stop?.reason).toBe(way.route.stop);
  }
});
