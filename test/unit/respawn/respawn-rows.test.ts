/** Every row of the table of respawn, taken in each of its states under a clock that does not move. */
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type {
  RespawnGuard,
  RespawnStateName,
  RespawnTrigger,
} from '../../../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_ROWS, type RespawnRow } from '../../../shared/rules/respawn/respawn-table.ts';
import { RESPAWN_TIMERS, TIMERS_OF } from '../../../shared/rules/respawn/respawn-timers.ts';
import type { RespawnConfig } from '../../../shared/schema/loops/respawn.ts';
import { READY } from '../../../server/respawn/checker/checker-state.ts';
import type { Signs } from '../../../server/respawn/detection/signs.ts';
import type { RespawnState, Run } from '../../../server/respawn/machine/respawn-state.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const LATER_MS = 10_000_000;

const ROWS = RESPAWN_ROWS.flatMap((row) =>
  row.from.map((from) => ({ row, from, name: `${from}: ${row.on} [${row.if ?? 'else'}]` })),
);

describe('each row', () => {
  it.each(ROWS)('RS2 $name', ({ row, from }) => {
    const life = inState(from);
    prepare(life, row, from);
    life.forget();
    happen(life, row);
    // The prompt is all that `clear` waits for: its confirmation is over at once.
    const isAtOnce = from === 'waiting_clear' && row.does === 'confirm_step';
    const to = isAtOnce ? 'sending_init' : row.to === 'stay' ? from : row.to;
    const trigger = isAtOnce ? 'step_confirmed' : row.on;
    const changes = life.events.filter(({ type }) => type === 'respawn.state');
    expect(life.name).toBe(to);
    expect(changes.map(({ data }) => data)).toMatchObject(
      to === from ? [] : [{ before: from, state: to, trigger }],
    );
    const ended = life.events.filter(({ type }) => type === 'respawn.cycle_done');
    expect(ended.map(({ data }) => data)).toMatchObject(
      row.ends === undefined ? [] : [{ outcome: row.ends }],
    );
  });
});

/** The shortest way there. */
function inState(state: RespawnStateName): RespawnLife {
  const change = { kickstart_prompt: 'Go on.' };
  if (state === 'stopped') return new RespawnLife(change);
  const life = RespawnLife.watching(change);
  if (state === 'watching') return life;
  if (state === 'confirming_idle') return life.completes();
  if (state === 'ai_checking') return life.text().tick(10_000);
  life.working().ready().tick(3_000);
  const steps = [
    () => life.tick(1_000).deliver(),
    () => life.working().ready().tick(10_000),
    () => life.tick(1_000).deliver(),
    () => life.output({ isPrompt: true }),
    () => life.tick(1_000).deliver(),
    () => life.working().ready().tick(10_000),
    () => life.tick(3_000),
    () => life.tick(1_000).deliver(),
  ];
  for (const step of steps) if (life.name !== state) step();
  return life;
}

/** What makes a condition hold, and what makes it fail. */
const CONDITIONS: Record<RespawnGuard, (life: RespawnLife, holds: boolean) => void> = {
  enabled: (life, enabled) => configure(life, { enabled }),
  blocked: report,
  unsettled: (life, holds) => {
    configure(life, { min_idle_confidence: holds ? 100 : 0 });
    sign(life, { completion: null, outputAtMs: life.clockMs });
  },
  needs_check: (life, holds) => {
    configure(life, { idle_check_enabled: holds });
    if (life.name !== 'ai_checking') patch(life, { idleChecker: READY });
  },
  check_cooling: (life, holds) => {
    configure(life, { idle_check_enabled: holds });
    const cooling = { ...READY, status: 'cooldown', untilMs: LATER_MS } as const;
    if (holds) patch(life, { idleChecker: cooling });
  },
  needs_plan_check: (life, holds) => showPlan(life, { plan_check_enabled: holds }),
  plan_open: (life, holds) => (holds ? showPlan(life, {}) : undefined),
  reported: report,
  may_accept: (life, holds) => showPlan(life, { auto_accept_plans: holds }),
  submitted: (life, holds) => (holds ? submit(life) : undefined),
  no_text: (life, holds) => configure(life, { kickstart_prompt: holds ? null : 'Go on.' }),
  held: hold,
  sends_clear: (life, send_clear) => configure(life, { send_clear }),
  sends_init: (life, send_init) => configure(life, { send_init }),
  has_kickstart: (life, holds) => configure(life, { kickstart_prompt: holds ? 'Go on.' : null }),
  vetoed: hold,
  spent: (life, holds) => patchRun(life, { recoveries: holds ? 99 : 0 }),
};

/** The row's own condition holds, those of the rows before it do not. */
function prepare(life: RespawnLife, row: RespawnRow, from: RespawnStateName): void {
  if (life.known.run !== null) sign(life, { agent: readyOnScreen(), hook: null, work: null });
  const rows = RESPAWN_ROWS.filter(
    ({ from: states, on }) => on === row.on && states.includes(from),
  );
  const before = rows.slice(0, rows.indexOf(row)).flatMap(({ if: guard }) => guard ?? []);
  for (const guard of before) CONDITIONS[guard](life, false);
  if (row.if !== undefined) CONDITIONS[row.if](life, true);
}

function happen(life: RespawnLife, { on, if: guard }: RespawnRow): void {
  switch (on) {
    case 'start':
      return void life.start();
    case 'stop':
      return void life.stop();
    case 'busy':
      if (guard === 'plan_open') life.agent('waiting', { cause: 'plan' });
      else life.working();
      return;
    case 'output':
      return void life.text();
    case 'completed':
      // A screen on which only the line is new.
      return void life.output({ completion: '✻ Cooked for 3s' });
    case 'reported_idle':
      return void life.hook('stop');
    case 'idle_hook':
      return void life.hook('idle');
    case 'prompt':
      return void life.output({ isPrompt: true });
    case 'agent_gone':
      return void life.agent('exited');
    case 'verdict_idle':
      return check(life, { verdict: 'IDLE', reasoning: '' });
    case 'verdict_working':
      return check(life, { verdict: 'WORKING', reasoning: '' });
    case 'check_failed':
      return check(life, { error: 'why' });
    case 'check_dropped':
      return void life.pause();
    case 'delivered':
    case 'undelivered':
      submit(life);
      return void life.deliver(on === 'delivered' ? 'delivered' : 'unknown');
    default:
      return expire(life, on);
  }
}

/** The timer with that end is over now, and no other. */
function expire(life: RespawnLife, on: RespawnTrigger): void {
  const { visit } = life.known;
  if (visit.status === 'stopped') return;
  const timers: readonly (keyof typeof RESPAWN_TIMERS)[] = TIMERS_OF[visit.status];
  const due = Object.fromEntries(
    timers.map((timer) => [timer, timer === 'stuck' ? LATER_MS : null]),
  );
  const [over = 'stuck'] = timers.filter((timer) => RESPAWN_TIMERS[timer] === on);
  patch(life, { visit: { ...visit, due: { ...due, [over]: life.clockMs } } as never });
  life.meet({ kind: 'due' });
}

function check(life: RespawnLife, result: Parameters<RespawnLife['answer']>[0]): void {
  const { visit } = life.known;
  const id = visit.status === 'ai_checking' ? visit.check : '';
  life.meet({ kind: 'verdict', check: id, result });
}

function submit(life: RespawnLife): void {
  const { visit } = life.known;
  if ('input' in visit && visit.input === null) life.tick(1_000);
}

function report(life: RespawnLife, holds: boolean): void {
  sign(life, {
    reported: holds ? { status: 'done', line: 'STATUS: DONE', witness: 'hook' } : null,
  });
}

function hold(life: RespawnLife, holds: boolean): void {
  patchRun(life, { graceEndsMs: holds ? LATER_MS : null });
}

function showPlan(life: RespawnLife, change: Partial<RespawnConfig>): void {
  configure(life, change);
  const agent: AgentState = { ...readyOnScreen(), state: 'waiting', cause: 'plan' };
  sign(life, { agent, menu: ['❯ 1. Yes', '2. No'], hasNewOutput: true });
}

function readyOnScreen(): AgentState {
  const since = '2026-01-01T00:00:00.000Z';
  return { state: 'ready', cause: 'none', detail: null, witness: 'screen', since, until: null };
}

function configure(life: RespawnLife, change: Partial<RespawnConfig>): void {
  patch(life, { config: { ...life.known.config, ...change } });
}

function sign(life: RespawnLife, change: Partial<Signs>): void {
  if (life.known.run !== null) patchRun(life, { signs: { ...life.known.run.signs, ...change } });
}

function patchRun(life: RespawnLife, change: Partial<Run>): void {
  const { run } = life.known;
  if (run !== null) patch(life, { run: { ...run, ...change } });
}

/** Straight into the state: what led there is tried elsewhere. */
function patch(life: RespawnLife, change: Partial<RespawnState>): void {
  life.state = { ...life.known, ...change } as RespawnState;
}
