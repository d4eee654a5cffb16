/** Whatever happens to a task in whatever order, also what comes too late. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TaskHappening } from '../../server/tasks/machine/task-state.ts';
import { reachedLimit } from '../../server/tasks/machine/ending.ts';
import { failed, replied, TaskLife } from '../support/task-life.ts';

const RUNS = process.env['LOOPWATCH_TEST_LONG'] === '1' ? 50_000 : 1_500;

const usage = fc.record({
  outputTokens: fc.nat(200),
  costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
});
const reply = fc.constantFrom(
  { kind: 'reply', text: 'go on' } as const,
  { kind: 'person', reason: 'question', question: 'which?' } as const,
);
const error = fc.constantFrom(
  ...(['limit', 'overloaded', 'auth', 'bad_session', 'max_turns', 'interrupted'] as const),
  ...(['invalid_request', 'crashed', 'not_started', 'lost'] as const),
);
const heard = fc.constantFrom('heard', 'not_heard', 'unknown');
const author = 'Ada';

const happening: fc.Arbitrary<TaskHappening> = fc.oneof(
  fc.constantFrom<TaskHappening>(
    ...[{ kind: 'begin', author } as const, { kind: 'stop', author } as const],
    ...[{ kind: 'recover', author } as const, { kind: 'granted' } as const],
    ...[{ kind: 'prepared' } as const, { kind: 'ended' } as const, { kind: 'tick' } as const],
    { kind: 'prepare_failed', error: 'no' },
    { kind: 'heard', sessionId: 'c1' },
  ),
  fc.record({ claim: fc.constantFrom(null, 'done'), reply }).map((said) => replied(said)),
  fc.tuple(error, heard).map(([why, told]) => failed(why, told)),
  fc.record({
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
  fc.record({
    kind: fc.constant('tested' as const),
    outcome: fc.constantFrom('passed', 'none', 'tests_failed', 'gate_failed'),
    commit: fc.constant('c0'),
    detail: fc.constant(''),
  }),
);

const step = fc.oneof(
  { weight: 5, arbitrary: happening.map((what) => ({ what, ms: 0 })) },
  { weight: 1, arbitrary: fc.nat(100_000).map((ms) => ({ what: { kind: 'tick' } as const, ms })) },
  { weight: 1, arbitrary: fc.boolean().map((interrupt) => ({ say: true, interrupt })) },
);

/** What can happen to a task that stands like this; the rest comes too late or never. */
function fits({ state }: TaskLife, { kind }: TaskHappening): boolean {
  const { stage, status } = state;
  if (kind === 'begin') return stage === 'none' && ['PENDING', 'STOPPED'].includes(status);
  if (kind === 'recover') return stage === 'none' && ['FAILED', 'EXHAUSTED'].includes(status);
  if (kind === 'stop') return stage !== 'none' && stage !== 'ending';
  if (kind === 'heard' || kind === 'replied' || kind === 'turn_failed') return state.turn !== null;
  return true;
}

it('TK17 holds its counts, its limits and the order of people’s words, come what may', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 80 }), (hasCriteria, steps) => {
      const life = new TaskLife({
        hasCriteria,
        limits: { iterations: 4, tokens: 500, costUsd: 3, minutes: 3 },
      });
      let spoken = 0;
      const sent: string[] = [];
      for (const each of steps) {
        const before = life.state;
        const waitedBefore = life.waiting[0];
        const told = life.inputs.length;
        if ('say' in each) life.say(`i${(spoken += 1)}`, each.interrupt);
        else {
          if (!fits(life, each.what)) continue;
          life.wallMs += each.ms;
          if (before.stage === 'talking') life.activeMs += each.ms;
          life.happen(each.what);
        }
        const { state, last } = life;
        const sends = last.filter((kind) => kind === 'send').length;
        expect(sends).toBe(state.turns - before.turns);
        if (sends > 0) {
          // One turn at a time, within the limits, and a person first.
          expect(
            before.stage === 'talking' && before.turn !== null && state.turn === before.turn,
          ).toBe(false);
          expect(reachedLimit({ ...state, activeMs: life.activeMs })).toBe(null);
          expect(state.turn?.message.inputId ?? undefined).toBe(waitedBefore);
        }
        expect(state.iterations - before.iterations).toBe(
          !('say' in each) && each.what.kind === 'replied' ? 1 : 0,
        );
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
        for (const { id, state: became } of life.inputs.slice(told)) {
          if (became === 'sending') sent.push(id);
          else expect(sent).toContain(id);
          // Known to be heard or lost is final.
          if (became === 'queued') sent.splice(sent.indexOf(id), 1);
        }
        expect(new Set(sent).size).toBe(sent.length);
      }
      // In the order in which they were said.
      const numbers = sent.map((id) => Number(id.slice(1)));
      expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    }),
    { numRuns: RUNS },
  );
});
