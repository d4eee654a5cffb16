/** Respawn under everything that may happen in any order, before a model of what must never follow. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentState } from '../../shared/schema/agent-state.ts';
import type { EventDraft } from '../../shared/schema/events.ts';
import { RESPAWN_ROWS, TIMERS_OF } from '../../shared/rules/respawn-table.ts';
import { RespawnView } from '../../shared/schema/respawn.ts';
import { respawnView } from '../../server/respawn/respawn-view.ts';
import type { RespawnEffect } from '../../server/respawn/machine/respawn-state.ts';
import { nextDeadline } from '../../server/respawn/machine/transition.ts';
import { RespawnLife, START_WALL } from '../support/respawn-life.ts';

const RUNS = 400;

type Deed =
  /** What leads on from the state it is in. */
  | { forward: 'told' | 'seen' | 'restless' }
  | { tick: number }
  | { agent: AgentState['state']; cause: AgentState['cause']; witness: AgentState['witness'] }
  | { output: 'text' | 'redraw' | 'work' | 'completion' | 'prompt' | 'menu' | 'tokens' }
  | { hook: 'stop' | 'idle' | 'asked' | 'answered' | 'prompt' }
  | { verdict: 'yes' | 'no' | 'error' | 'late' }
  | { deliver: 'delivered' | 'typed' | 'failed' | 'unknown' | 'late' }
  | { see: 'background' | 'nothing' | 'commit' | 'gone' | 'limit' | 'plan' }
  | { rule: 'start' | 'timed' | 'stop' | 'pause' | 'resume' | 'restart' | 'off' | 'on' | 'checks' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      forward: fc.constantFrom('told' as const, 'told', 'told', 'seen', 'restless'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ tick: fc.constantFrom(1, 900, 3_000, 10_000, 31_000, 700_000) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      agent: fc.constantFrom<AgentState['state']>(
        ...(['ready', 'ready', 'ready', 'working', 'working', 'waiting', 'limited'] as const),
        ...(['errored', 'interrupted', 'background', 'unknown', 'exited'] as const),
      ),
      cause: fc.constantFrom<AgentState['cause']>('none', 'plan', 'question', 'network', 'billing'),
      witness: fc.constantFrom<AgentState['witness']>('record', 'screen'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      output: fc.constantFrom(
        ...(['text', 'redraw', 'work', 'completion', 'prompt', 'menu', 'tokens'] as const),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      hook: fc.constantFrom('stop' as const, 'idle', 'asked', 'answered', 'prompt'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      verdict: fc.constantFrom('yes' as const, 'yes', 'no', 'error', 'late'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      deliver: fc.constantFrom(
        ...(['delivered', 'delivered', 'delivered', 'typed', 'failed', 'unknown', 'late'] as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      see: fc.constantFrom(
        ...(['background', 'nothing', 'nothing', 'commit', 'gone', 'limit', 'plan'] as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      rule: fc.constantFrom(
        ...(['start', 'start', 'start', 'timed', 'stop', 'pause', 'resume', 'resume'] as const),
        ...(['restart', 'off', 'on', 'checks'] as const),
      ),
    }),
  },
);

const change = fc.record({
  idle_check_enabled: fc.boolean(),
  plan_check_enabled: fc.boolean(),
  send_clear: fc.boolean(),
  send_init: fc.boolean(),
  kickstart_prompt: fc.constantFrom(null, 'Go on.'),
  min_idle_confidence: fc.constantFrom(0, 65, 100),
  idle_timeout_ms: fc.constantFrom(10_000, 60_000),
  stuck_recovery_ms: fc.constantFrom(60_000, 600_000),
});

it('RS3 RS6 RS10 RS15 nothing is sent twice without evidence between, after a stop, or in a pause', () => {
  fc.assert(
    fc.property(change, fc.array(deed, { maxLength: 60 }), (config, deeds) => {
      const life = new RespawnLife(config).start().ready('screen');
      const watch = new Watch(life);
      for (const each of deeds) {
        watch.before(each);
        perform(life, each);
        watch.after();
      }
    }),
    { seed: 20261122, numRuns: RUNS },
  );
});

it('RS15 whatever happened, an agent that stays idle gets its next prompt', () => {
  fc.assert(
    fc.property(change, fc.array(deed, { maxLength: 40 }), (config, deeds) => {
      const life = new RespawnLife(config).start().ready('screen');
      for (const each of deeds) perform(life, each);
      const calm = { subagents: 0, shells: 0, teammates: 0 };
      life
        .configure({ enabled: true, ...config })
        .start()
        .resume();
      life
        .see({ background: calm, mayTry: true, planRequest: null })
        .hook('answered')
        .deliver('failed');
      life.working().ready();
      const sent = life.submitted.length;
      const commits = life.known.run?.signs.tree?.commits ?? 0;
      life.see({ tree: { commits: commits + 1, files: 0 } });
      for (let count = 0; count < 200 && life.submitted.length === sent; count += 1) {
        life.tick(60_000).answer({ verdict: 'IDLE', reasoning: '' }).deliver('failed');
      }
      expect(life.submitted.length).toBeGreaterThan(sent);
    }),
    { seed: 20261122, numRuns: RUNS },
  );
});

function perform(life: RespawnLife, what: Deed): void {
  if ('tick' in what) life.tick(what.tick);
  else if ('forward' in what) forward(life, what.forward);
  else if ('agent' in what) life.agent(what.agent, { cause: what.cause, witness: what.witness });
  else if ('output' in what) print(life, what.output);
  else if ('hook' in what) life.hook(what.hook);
  else if ('verdict' in what) judge(life, what.verdict);
  else if ('deliver' in what) deliver(life, what.deliver);
  else if ('see' in what) see(life, what.see);
  else rule(life, what.rule);
}

function forward(life: RespawnLife, how: 'told' | 'seen' | 'restless'): void {
  const { name } = life;
  if (how === 'restless') {
    for (let count = 0; count < 8; count += 1) life.tick(9_000).completes();
  } else if (name.startsWith('sending')) life.tick(1_000).deliver();
  else if (name === 'waiting_clear') life.output({ isPrompt: true });
  else if (name === 'monitoring_init') life.tick(3_000);
  else if (name === 'ai_checking') life.answer({ verdict: 'IDLE', reasoning: '' });
  else if (how === 'told') life.working().ready().tick(10_000);
  else life.ready('screen').completes().tick(10_000);
}

function print(life: RespawnLife, what: string): void {
  const isSubstantial = what === 'text' || what === 'menu' || what === 'completion';
  life.output({
    isSubstantial,
    work: what === 'work' ? '✻ Cooking…' : null,
    completion: what === 'completion' ? '✻ Cooked for 3s' : null,
    isPrompt: what === 'prompt',
    tokens: what === 'tokens' ? life.clockMs : null,
    menu: what === 'menu' ? ['❯ 1. Yes', '2. No'] : null,
  });
}

function judge(life: RespawnLife, how: 'yes' | 'no' | 'error' | 'late'): void {
  const asked = life.effects.findLast(({ kind }) => kind === 'ask');
  if (how === 'late' || asked?.kind !== 'ask') {
    life.meet({ kind: 'verdict', check: '0.0', result: { verdict: 'IDLE', reasoning: '' } });
  } else if (how === 'error') life.answer({ error: 'why' });
  else {
    const [yes, no] =
      asked.check === 'idle'
        ? (['IDLE', 'WORKING'] as const)
        : (['PLAN_MODE', 'NOT_PLAN_MODE'] as const);
    life.answer({ verdict: how === 'yes' ? yes : no, reasoning: '' });
  }
}

function deliver(life: RespawnLife, how: Extract<Deed, { deliver: unknown }>['deliver']): void {
  if (how === 'late')
    life.meet({ kind: 'delivery', input: '0.0.update', delivery: 'delivered', detail: null });
  else life.deliver(how);
}

function see(life: RespawnLife, what: Extract<Deed, { see: unknown }>['see']): void {
  const none = { subagents: 0, shells: 0, teammates: 0 };
  const commits = life.known.run?.signs.tree?.commits ?? 0;
  if (what === 'background') life.see({ background: { ...none, shells: 1 } });
  else if (what === 'nothing') life.see({ background: none, mayTry: true, planRequest: null });
  else if (what === 'commit') life.see({ tree: { commits: commits + 1, files: 0 } });
  else if (what === 'gone') life.see({ agent: null });
  else if (what === 'limit') life.see({ mayTry: false });
  else life.agent('waiting', { cause: 'plan', witness: 'hook' }).see({ planRequest: 'item' });
}

function rule(life: RespawnLife, what: Extract<Deed, { rule: unknown }>['rule']): void {
  if (what === 'start') life.start();
  else if (what === 'timed') life.start(20);
  else if (what === 'stop') life.stop();
  else if (what === 'pause') life.pause();
  else if (what === 'resume') life.resume();
  else if (what === 'restart') life.meet({ kind: 'restored' });
  else if (what === 'off') life.configure({ enabled: false });
  else if (what === 'on') life.configure({ enabled: true });
  else
    life
      .meet({ kind: 'enable_check', check: 'idle' })
      .meet({ kind: 'enable_check', check: 'plan' });
}

/** What must hold after each deed, and between any two texts. */
class Watch {
  readonly #life: RespawnLife;
  #read: number;
  #state = 'watching';
  /** A text was handed over, and nothing has said since that its step or cycle is over. */
  #isOpen = false;
  #isStill = false;
  readonly #inputs = new Set<string>();
  readonly #unsettled = new Set<string>();

  constructor(life: RespawnLife) {
    this.#life = life;
    this.#read = life.journal.length;
  }

  before(what: Deed): void {
    const { run } = this.#life.known;
    const starts = 'rule' in what && ['start', 'timed', 'resume'].includes(what.rule);
    this.#isStill = (run === null || run.pausedAtMs !== null) && !starts;
  }

  after(): void {
    for (const entry of this.#life.journal.slice(this.#read)) {
      if ('settled' in entry) this.#unsettled.delete(entry.settled);
      else if ('type' in entry) this.#said(entry);
      else this.#done(entry);
    }
    this.#read = this.#life.journal.length;
    const { known, clockMs } = this.#life;
    if (this.#isOpen) expect(known.visit.status).toMatch(/^(?:sending|waiting)_/);
    if (known.run === null) expect(nextDeadline(known)).toBeNull();
    else this.#runs();
    const view = respawnView(known, { clockMs, wallMs: START_WALL + clockMs });
    expect(RespawnView.safeParse(view).error).toBeUndefined();
  }

  #said({ type, data }: EventDraft): void {
    if (type === 'respawn.step_done' || type === 'respawn.cycle_done') this.#isOpen = false;
    if (type === 'respawn.state') this.#follows(data as { before: string; state: string });
  }

  #done(effect: RespawnEffect): void {
    if (effect.kind === 'submit') {
      expect([effect.input, this.#isOpen]).toEqual([effect.input, false]);
      expect(this.#inputs.has(effect.input)).toBe(false);
      // The fate of every one before is known.
      expect([...this.#unsettled]).toEqual([]);
      this.#unsettled.add(effect.input);
      this.#inputs.add(effect.input);
      this.#isOpen = true;
    }
    if (effect.kind === 'submit' || effect.kind === 'accept_plan')
      expect(this.#isStill).toBe(false);
  }

  /** Only along a row. */
  #follows({ before, state }: { before: string; state: string }): void {
    expect(before).toBe(this.#state);
    const isRow = RESPAWN_ROWS.some(
      ({ from, to }) => from.some((each) => each === before) && to === state,
    );
    expect([before, state, isRow]).toEqual([before, state, true]);
    this.#state = state;
  }

  /** A state that runs has a deadline ahead, exactly the timers of the table, and no check too many. */
  #runs(): void {
    const { known, clockMs } = this.#life;
    if (known.run === null) return;
    const { visit, run } = known;
    const deadline = nextDeadline(known);
    if (run.pausedAtMs === null) expect(deadline).toBeGreaterThan(clockMs);
    else expect(deadline).toBeNull();
    expect(Object.keys(visit.due).sort()).toEqual([...TIMERS_OF[visit.status]].sort());
    expect(visit.due.stuck).not.toBeNull();
    const isChecking = known.idleChecker.status === 'checking';
    expect(isChecking).toBe(visit.status === 'ai_checking');
    const plan = visit.status === 'watching' ? visit.planCheck : null;
    const planned = known.planChecker.status === 'checking' ? known.planChecker.id : null;
    expect(planned).toBe(plan);
  }
}
