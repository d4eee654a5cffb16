/** Any sequence of inputs to a run, also impossible and late ones, and what must hold after each. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reachedLimit } from '../../../server/runs/machine/ending.ts';
import type { MachineInput, Now, RunState } from '../../../server/runs/machine/run-state.ts';
import { statusOf } from '../../../server/runs/machine/step.ts';
import { nextDeadline, transition } from '../../../server/runs/machine/transition.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import { sized } from '../../support/house/random.ts';
import { checked, replied, resumed, RunLife } from '../../support/runs/run-life.ts';
import { NEXT, options, step, type Chosen, type Kind, each } from '../../support/runs/run-steps.ts';

const RUNS = sized({ short: 100, middle: 1_000, long: 20_000 });
const SETTINGS = { seed: 20261123, numRuns: RUNS };

/** Only along these does a phase change automatically; a person who resumes may name any. */
const WAYS = ['plan execute', 'execute review', 'review fix', 'fix review', 'review complete'];
const FOR_PERSONS = ['plan_review', 'question', 'login_needed', 'agent_error'];
/** What is under way in a stage, and the effect that began it. */
const BEGUN_BY = {
  preparing: 'prepare',
  checking: 'check',
  talking: 'send',
  ending: 'end',
  merging: 'merge',
} as const;

class Watch {
  readonly life: RunLife;
  readonly happened = new Map<string, number>();
  #spoken = 0;
  readonly #sent: string[] = [];

  constructor(life: RunLife) {
    this.life = life;
  }

  play(chosen: Chosen): void {
    const { life } = this;
    const before = life.state;
    const { stage } = before.now;
    life.wallMs += 5 * chosen.ms;
    if (stage === 'talking' || stage === 'checking') life.activeMs += chosen.ms;
    const waited = [life.waiting[0], life.inputs.length, life.events.length] as const;
    const input = this.#choose(chosen);
    const frozen = JSON.stringify(before);
    if (input === null) this.#speak(chosen.pick % 2 === 0);
    else life.happen(input);
    this.happened.set(input?.kind ?? 'input', 1);
    expect(JSON.stringify(before)).toBe(frozen);
    this.#holds(before, input?.kind ?? 'input', waited);
  }

  /** Words are stored only for a run that is not over. */
  #choose({ each: happening, roll, pick }: Chosen): MachineInput | null {
    const { stage } = this.life.state.now;
    if (roll < 2 && !['over', 'ending', 'merging'].includes(stage)) return null;
    const kinds = roll === 2 ? (Object.keys(happening) as Kind[]) : NEXT[stage];
    const input = happening[kinds[pick % kinds.length] ?? 'tick'];
    if (input.kind === 'turn_failed' && input.until !== null) {
      return { ...input, until: this.life.wallMs + input.until };
    }
    return input;
  }

  #speak(interrupt: boolean): void {
    this.life.say(`i${(this.#spoken += 1)}`, interrupt);
  }

  #holds(
    before: RunState,
    kind: MachineInput['kind'],
    [waiting, inputs, events]: readonly [string | undefined, number, number],
  ): void {
    const { life } = this;
    const { state, last } = life;
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    this.#hasAWay(before, kind);
    this.#sends(before, kind, waiting, life.inputs.slice(inputs));
    this.#rounds(before, kind);
    this.#reports(before, kind, life.events.slice(events));
    expect(state.activeMs).toBeGreaterThanOrEqual(before.activeMs);
    for (const phase of WORK_PHASES) {
      for (const key of ['activeMs', 'outputTokens', 'costUsd', 'turns'] as const)
        expect(state.spent[phase][key]).toBeGreaterThanOrEqual(before.spent[phase][key]);
    }
    expect(new Set(last).size).toBe(last.length);
  }

  /** Something is under way, or due, or waits for its slot or for a person. */
  #hasAWay(before: RunState, kind: MachineInput['kind']): void {
    const { state, last, options: asked, wallMs, activeMs } = this.life;
    const { now } = state;
    const deadline = nextDeadline(state, asked, { wallMs, activeMs });
    expect(deadline === null || Number.isFinite(deadline)).toBe(true);
    for (const [stage, effect] of Object.entries(BEGUN_BY)) {
      const isTurn = stage === 'talking' && turnId(now) !== turnId(before.now);
      const isNew = now.stage === stage && (before.now.stage !== stage || isTurn);
      expect([stage, last.includes(effect)]).toEqual([stage, isNew]);
    }
    if (now.stage === 'waiting') {
      expect(deadline !== null || FOR_PERSONS.includes(now.reason)).toBe(true);
      expect(now.reason !== 'plan_review' || (state.hasPlan && state.phase === 'plan')).toBe(true);
    }
    expect(last.includes('report')).toBe(now.stage === 'over' && before.now.stage !== 'over');
    const isOver = now.stage === 'over' || now.stage === 'ending';
    if (isOver) expect(state.isLimited).toBe(false);
    if (before.now.stage === 'over' && kind !== 'resume') expect(now).toEqual(before.now);
    if (before.now.stage === 'ending') expect(['ending', 'over']).toContain(now.stage);
    if (state.phase === 'complete') expect(isOver || now.stage === 'merging').toBe(true);
    if (now.stage === 'merging') expect([state.phase, deadline]).toEqual(['complete', null]);
    // Complete work is done for any input while it merges.
    if (before.now.stage === 'merging' && isOver && kind !== 'restored') {
      expect(now.result.status).toBe('done');
    }
  }

  /** One turn at a time, within the limits, a person first, nothing in a run that ends. */
  #sends(
    before: RunState,
    kind: MachineInput['kind'],
    waiting: string | undefined,
    changed: { id: string; state: string }[],
  ): void {
    const { state, last, options: asked } = this.life;
    const { now } = state;
    expect(state.turns.length - before.turns.length).toBe(last.includes('send') ? 1 : 0);
    if (last.includes('send') && now.stage === 'talking') {
      const { stage } = before.now;
      const ends = kind === 'replied' || kind === 'turn_failed';
      expect([stage, kind]).toEqual(
        stage === 'talking' ? [stage, ends ? kind : 'the end of the turn'] : [stage, kind],
      );
      expect(['preparing', 'talking', 'checking']).toContain(stage);
      expect(reachedLimit(state, asked)).toBeNull();
      const { message, phase, number } = now.turn;
      expect([phase, number]).toEqual([state.phase, state.turns.length]);
      const returned = changed.find((input) => input.state === 'queued')?.id;
      expect(message.inputId ?? undefined).toBe(returned ?? waiting);
      if (message.inputId !== null) expect(phase).not.toBe('review');
      // A new conversation begins with what the agent has to know.
      const isNew = state.conversations[phase] === null;
      if (isNew) expect(['open', 'digest']).toContain(message.kind);
      if (phase === 'review') expect(state.nonce).not.toBe('');
    }
    for (const { id, state: became } of changed) {
      if (became === 'sending') this.#sent.push(id);
      else expect(this.#sent).toContain(id);
      if (became === 'queued') this.#sent.splice(this.#sent.indexOf(id), 1);
    }
    const numbers = this.#sent.map((id) => Number(id.slice(1)));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  }

  #rounds(before: RunState, kind: MachineInput['kind']): void {
    const { state, options: asked } = this.life;
    const { iteration, forgiven, rounds, signatures, unchangedRounds } = state;
    expect(iteration - forgiven.rounds).toBeLessThanOrEqual(asked.max_fix_rounds);
    expect(forgiven.rounds).toBeLessThanOrEqual(iteration);
    expect(forgiven.signatures).toBeLessThanOrEqual(signatures.length);
    expect(signatures.length).toBeLessThanOrEqual(rounds.length);
    expect(unchangedRounds).toBeLessThanOrEqual(2);
    const begun = iteration - before.iteration;
    expect([0, 1]).toContain(begun);
    if (begun === 1) expect(['checked', 'replied']).toContain(kind);
    const iterations = rounds.map((round) => round.iteration);
    expect(iterations).toEqual([...iterations].sort((one, other) => one - other));
    expect(iterations.at(-1) ?? 0).toBeLessThanOrEqual(iteration);
    for (const { checks, verdict } of rounds.slice(-2)) {
      if (verdict !== null) expect(['passed', 'none']).toContain(checks);
    }
    if (state.phase !== 'complete' || before.phase === 'complete') return;
    const verdict = rounds.at(-1)?.verdict;
    expect([before.phase, kind]).toEqual(['review', 'replied']);
    expect(verdict === 'pass' || (verdict === 'unclear' && state.proof === 'proven')).toBe(true);
  }

  #reports(before: RunState, kind: MachineInput['kind'], events: RunLife['events']): void {
    const { state } = this.life;
    const of = (type: string) => events.filter((event) => event.type === type);
    const ends = state.now.stage === 'over' && before.now.stage !== 'over';
    expect(of('run.done')).toHaveLength(ends ? 1 : 0);
    let phase = before.phase as string;
    for (const { data } of of('run.phase') as { data: { phase: string; before: string } }[]) {
      expect(data.before).toBe(phase);
      if (kind !== 'resume') expect(WAYS).toContain(`${phase} ${data.phase}`);
      phase = data.phase;
    }
    expect(phase).toBe(state.phase);
    const [status] = of('run.status') as { data: { status: string; before: string } }[];
    const [was, is] = [statusOf(before.now), statusOf(state.now)];
    if (was !== is) expect(status?.data).toMatchObject({ before: was, status: is });
  }
}

function turnId(now: Now): string | null {
  return now.stage === 'talking' ? now.turn.id : null;
}

const schedule = fc.array(step, { minLength: 30, maxLength: 80, size: 'max' });

it('RN16 a run keeps its rules for all inputs in any order', () => {
  const happened = new Map<string, number>();
  const places = new Set<string>();
  fc.assert(
    fc.property(options, schedule, (asked, steps) => {
      const watch = new Watch(new RunLife(asked));
      for (const chosen of steps) {
        watch.play(chosen);
        places.add(watch.life.place);
      }
      for (const kind of watch.happened.keys()) happened.set(kind, (happened.get(kind) ?? 0) + 1);
    }),
    SETTINGS,
  );
  // A schedule that never begins proves nothing.
  for (const kind of Object.values(NEXT).flat()) {
    expect([kind, (happened.get(kind) ?? 0) > RUNS / 8]).toEqual([kind, true]);
  }
  for (const reason of ['stuck', 'fix_limit', 'max_cost', 'timeout']) {
    const isSeen = [...places].some((place) => place.endsWith(`over ${reason}`));
    expect([reason, isSeen]).toEqual([reason, true]);
  }
  expect(places).toContain('complete over completed');
});

it('RN16 the same state and input give the same outcome, also after a restart', () => {
  fc.assert(
    fc.property(options, schedule, fc.record({ each }), (asked, steps, { each: last }) => {
      const life = new RunLife(asked);
      const watch = new Watch(life);
      for (const chosen of steps) watch.play(chosen);
      const policy = {
        errorDelaysMs: [1, 2],
        quotaDelaysMs: [3],
        context: { compactAt: 70, freshAt: 85 },
      };
      for (const input of Object.values(last)) {
        const stamped = life.stamped(input);
        const stored = JSON.parse(JSON.stringify(life.state)) as RunState;
        const outcome = transition(life.state, stamped, policy);
        expect(transition(stored, stamped, policy)).toEqual(outcome);
        expect(stored).toEqual(life.state);
      }
    }),
    { ...SETTINGS, numRuns: Math.ceil(RUNS / 4) },
  );
});

it('RN16 a run can be completed after any input', () => {
  fc.assert(
    fc.property(options, schedule, (asked, steps) => {
      const limitless = { max_minutes: null, max_tokens: null, max_cost_usd: null, phases: {} };
      const life = new RunLife({ ...asked, ...limitless });
      const watch = new Watch(life);
      for (const chosen of steps) watch.play(chosen);
      const isDone = () => life.place === 'complete over completed';
      for (let count = 0; count < 60 && !isDone(); count += 1) advance(life);
      expect(life.place).toBe('complete over completed');
    }),
    SETTINGS,
  );
});

/** What the world does when all goes well. */
function advance(life: RunLife): void {
  const { now } = life.state;
  switch (now.stage) {
    case 'merging':
      return void life.happen({ kind: 'merged', into: 'main', commit: 'c' });
    case 'queued':
      return void life.happen({ kind: 'granted' });
    case 'preparing':
      return void life.happen({ kind: 'prepared' });
    case 'talking':
      return void life.hear().happen(replied());
    case 'checking':
      return void life.happen(checked());
    case 'ending':
      return void life.happen({ kind: 'ended' });
    case 'over':
      return void life.happen(resumed());
    case 'waiting':
      if (now.dueMs !== null) life.wallMs = Math.max(life.wallMs, now.dueMs);
      if (now.dueMs !== null) return void life.happen({ kind: 'tick' });
      if (now.reason !== 'plan_review') return void life.say(`w${life.inputs.length}`);
      return void life.happen({ kind: 'plan_accepted', author: 'Ada' });
  }
}
