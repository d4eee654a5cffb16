/** Any sequence of inputs to a task, including late ones. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TaskState, MachineInput } from '../../../server/tasks/machine/task-state.ts';
import { reachedLimit } from '../../../server/tasks/machine/ending.ts';
import { failed, replied, TaskLife } from '../../support/tasks/task-life.ts';
import { sized } from '../../support/house/random.ts';

const RUNS = sized({ short: 500, middle: 2_000, long: 20_000 });

const usage = fc.record({
  outputTokens: fc.nat(200),
  costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
});
const reply = fc.constantFrom(
  { kind: 'reply', text: 'go on' } as const,
  { kind: 'person', reason: 'question', question: 'which?' } as const,
);
const error = fc.constantFrom(
  'limit',
  'overloaded',
  'auth',
  'bad_session',
  'max_turns',
  'interrupted',
  'invalid_request',
  'crashed',
  'not_started',
  'lost',
);
const heard = fc.constantFrom('heard', 'not_heard', 'unknown');
const author = 'Ada';

/** One of each kind, as varied as possible. */
const each = fc.record({
  begin: fc.constant({ kind: 'begin', author } as const),
  stop: fc.constant({ kind: 'stop', author } as const),
  recover: fc.constant({ kind: 'recover', author } as const),
  granted: fc.constant({ kind: 'granted' } as const),
  prepared: fc.constant({ kind: 'prepared' } as const),
  prepare_failed: fc.constant({ kind: 'prepare_failed', error: 'no' } as const),
  ended: fc.constant({ kind: 'ended' } as const),
  tick: fc.constant({ kind: 'tick' } as const),
  heard: fc.constant({ kind: 'heard', conversationId: 'c1' } as const),
  replied: fc
    .record({
      said: fc.record({ claim: fc.constantFrom(null, null, 'done'), reply }),
      percent: fc.constantFrom(null, 20, 75, 75, 75, 90),
      isCompacted: fc.boolean(),
    })
    .map(({ said, ...context }) => ({ ...replied(said), context })),
  turn_failed: fc.tuple(error, heard).map(([why, received]) => failed(why, received)),
  judged: fc.record({
    kind: fc.constant('judged' as const),
    verdict: fc.option(
      fc.record({
        isMet: fc.boolean(),
        confidence: fc.constant(0.8),
        reasoning: fc.constant('seen'),
      }),
    ),
    usage,
  }),
  measured: fc.record({
    kind: fc.constant('measured' as const),
    trace: fc.option(
      fc.record({ content: fc.constantFrom('a', 'b'), calls: fc.constantFrom(['ls'], []) }),
    ),
  }),
  tested: fc.record({
    kind: fc.constant('tested' as const),
    outcome: fc.constantFrom('passed', 'none', 'tests_failed', 'gate_failed'),
    commit: fc.constant('c0'),
    detail: fc.constant(''),
  }),
});
type Kind = keyof (typeof each extends fc.Arbitrary<infer Each> ? Each : never);

/** What usually follows in each stage; anything may come too late or too early. */
const NEXT: Record<TaskState['stage'], readonly Kind[]> = {
  none: ['begin', 'recover'],
  queued: ['granted', 'granted', 'granted', 'stop', 'ended', 'turn_failed'],
  preparing: ['prepared', 'prepared', 'prepared', 'prepare_failed', 'stop'],
  talking: ['heard', 'replied', 'replied', 'replied', 'turn_failed', 'stop'],
  judging: ['judged', 'judged', 'stop'],
  measuring: ['measured', 'measured', 'stop'],
  testing: ['tested', 'tested', 'stop'],
  waiting: ['tick', 'tick', 'stop'],
  ending: ['ended', 'ended', 'replied', 'turn_failed', 'begin', 'recover'],
};

/** `roll` decides: usually what follows, now and then input of a person, or anything at all. */
const step = fc.record({ each, roll: fc.nat(15), pick: fc.nat(1_000), ms: fc.nat(20_000) });

/** Whether an input is possible in this state; the others never occur. */
function fits({ state }: TaskLife, { kind }: MachineInput): boolean {
  const { stage, status } = state;
  const isOver = stage === 'none' || stage === 'ending';
  if (kind === 'begin') return isOver && ['PENDING', 'STOPPED'].includes(status);
  if (kind === 'recover') return isOver && ['FAILED', 'EXHAUSTED'].includes(status);
  // Its last process still holds the slot.
  if (kind === 'granted') return state.turn === null;
  if (kind === 'stop') return stage !== 'none' && stage !== 'ending';
  if (kind === 'heard' || kind === 'replied' || kind === 'turn_failed') return state.turn !== null;
  return true;
}

function inputOf(
  { state }: TaskLife,
  { each, roll, pick }: { each: Record<Kind, MachineInput>; roll: number; pick: number },
): MachineInput | null {
  if (roll < 2) return null;
  const kinds = roll === 2 ? (Object.keys(each) as Kind[]) : NEXT[state.stage];
  return each[kinds[pick % kinds.length] ?? 'tick'];
}

it('TK17 counts, limits and the order of people’s inputs hold over any sequence of inputs', () => {
  const happened = new Map<string, number>();
  let compactions = 0;
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }),
      (hasCriteria, noProgressTurns, steps) => {
        const limits = { iterations: 4, tokens: 500, costUsd: 3, minutes: 3 };
        const life = new TaskLife({ hasCriteria, limits }, { noProgressTurns });
        let spoken = 0;
        const sent: string[] = [];
        for (const chosen of steps) {
          const before = life.state;
          const waitedBefore = life.waiting[0];
          const already = life.inputs.length;
          const what = inputOf(life, chosen);
          if (what === null) life.say(`i${(spoken += 1)}`, chosen.pick % 2 === 0);
          else {
            if (!fits(life, what)) continue;
            const { ms } = chosen;
            life.wallMs += 5 * ms;
            if (before.stage === 'talking') life.activeMs += ms;
            life.happen(what);
            happened.set(what.kind, (happened.get(what.kind) ?? 0) + 1);
          }
          const { state, last } = life;
          const sends = last.filter((kind) => kind === 'send').length;
          expect(sends).toBe(state.turns - before.turns);
          if (sends > 0) {
            // One turn at a time, within the limits, and a person's input first.
            expect(
              before.stage === 'talking' && before.turn !== null && state.turn === before.turn,
            ).toBe(false);
            expect(reachedLimit({ ...state, activeMs: life.activeMs }, life.rules.limits)).toBe(
              null,
            );
            const given = life.inputs.slice(already).find((input) => input.state === 'queued');
            expect(state.turn?.message.inputId ?? undefined).toBe(given?.id ?? waitedBefore);
          }
          const isLong = what?.kind === 'turn_failed' && what.error === 'max_turns';
          const isTurn = what?.kind === 'replied' || (isLong && before.stage === 'talking');
          // A compaction is no iteration.
          const isWork = before.turn?.message.kind !== 'compact';
          if (!isWork) compactions += 1;
          expect(state.iterations - before.iterations).toBe(isTurn && isWork ? 1 : 0);
          expect(state.outputTokens).toBeGreaterThanOrEqual(before.outputTokens);
          expect(state.activeMs).toBeGreaterThanOrEqual(before.activeMs);
          expect(state.wait !== null).toBe(state.stage === 'waiting');
          if (state.stage === 'waiting') expect(state.status).toBe('PAUSED');
          if (state.stage === 'talking') expect(state.status).toBe('RUNNING');
          if (state.status === 'TESTING') expect(state.stage).toBe('testing');
          if (state.status === 'COMPLETED' && before.status !== 'COMPLETED') {
            expect(before.status).toBe('TESTING');
            expect(['proven', 'unproven']).toContain(state.completion?.proof);
          }
          if (state.stage === 'ending' && before.stage !== 'ending') expect(last).toContain('end');
          for (const { id, state: became } of life.inputs.slice(already)) {
            if (became === 'sending') sent.push(id);
            else expect(sent).toContain(id);
            // `heard` and `lost` are final.
            if (became === 'queued') sent.splice(sent.indexOf(id), 1);
          }
          expect(new Set(sent).size).toBe(sent.length);
        }
        // In the order in which people sent them.
        const numbers = sent.map((id) => Number(id.slice(1)));
        expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
      },
    ),
    { numRuns: RUNS },
  );
  // Each kind occurs many times: a sequence that never begins proves nothing.
  for (const kind of Object.values(NEXT).flat())
    expect(happened.get(kind)).toBeGreaterThan(RUNS / 4);
  expect(compactions).toBeGreaterThan(RUNS / 50);
});
