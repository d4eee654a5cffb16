/** Respawn under everything that may happen in any order, before a model of what must never follow. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import { RESPAWN_ROWS } from '../../../shared/rules/respawn/respawn-table.ts';
import { TIMERS_OF } from '../../../shared/rules/respawn/respawn-timers.ts';
import { RespawnView } from '../../../shared/schema/loops/respawn.ts';
import { respawnView } from '../../../server/respawn/respawn-view.ts';
import type { RespawnEffect } from '../../../server/respawn/machine/respawn-state.ts';
import { nextDeadline } from '../../../server/respawn/machine/transition.ts';
import { deed, type Deed, perform } from '../../support/respawn/respawn-deeds.ts';
import { RespawnLife, START_WALL } from '../../support/respawn/respawn-life.ts';

const RUNS = 400;

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

it('RS2 RS8 RS19 RS29 RS30 nothing is sent twice without evidence between, after a stop, or in a pause', () => {
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

it('RS46 after any inputs, an agent that stays idle gets its next prompt', () => {
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
    if (type === 'respawn.state') this.#follows(data);
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
