/** Which of many supervisors may try first when they wait for one quota. */
import { expect, it } from 'vitest';
import { transition } from '../../server/auto/machine/transition.ts';
import { QuotaGate, type QuotaReport } from '../../server/supervision/quota-gate.ts';
import { Life, POLICY, START_WALL } from '../support/loop-life.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { failed, replied, TaskLife } from '../support/task-life.ts';

const HOUR = 3_600_000;

it('LP24 lets one try first and alone, and the others follow at a distance', () => {
  const clock = new ManualClock();
  const gate = new QuotaGate(clock);
  expect(gate.admits('a')).toBe(true);
  gate.report('a', 'tried');
  clock.advance(HOUR);
  expect(gate.admits('b')).toBe(false);
  gate.report('a', 'opened');
  expect(gate.admits('b')).toBe(true);
  gate.report('b', 'tried');
  expect(gate.admits('c')).toBe(false);
  clock.advance(5_000);
  expect(gate.admits('c')).toBe(true);
});

it('LP24 holds the others after the first one failed or left', () => {
  const clock = new ManualClock();
  const gate = new QuotaGate(clock);
  gate.report('a', 'tried');
  gate.report('a', 'closed');
  expect(gate.admits('b')).toBe(false);
  clock.advance(60_000);
  expect(gate.admits('b')).toBe(true);
  gate.report('b', 'tried');
  gate.report('b', 'left');
  clock.advance(5_000);
  expect(gate.admits('c')).toBe(true);
});

const WAIT = { sinceMs: 0, untilMs: null, nudges: 1, nudgedAtMs: 0, workingSinceMs: null };

/** What a loop in the middle of a nudge reports when that ends. */
function newsOf(input: Parameters<Life['meet']>[0]): QuotaReport[] {
  const { state } = new Life({ status: 'quota_wait', quota: WAIT });
  if (state === null) throw new Error('the loop has ended');
  return transition(state, { ...input, ageMs: 1_000, wallMs: START_WALL, budget: null }, POLICY)
    .quota;
}

it.each<[QuotaReport, string, Parameters<Life['meet']>[0]]>([
  ['left', 'stopped', { kind: 'stop', reason: 'user_stop', by: 'person' }],
  ['left', 'agent_gone', { kind: 'terminal_gone', how: 'closed' }],
  [
    'closed',
    'not delivered',
    { kind: 'typed', cause: 'quota', delivery: 'failed', detail: 'program_changed' },
  ],
])('LP24 a loop reports %s when its nudge ends as %s', (news, _how, input) => {
  expect(newsOf(input)).toEqual([news]);
});

it('LP24 a task reports its try, the result, and that it waits no longer', () => {
  const life = TaskLife.talking();
  life.happen(failed('limit', 'heard', life.wallMs + 1_000));
  expect(life.quota).toEqual([]);
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' }).hear();
  expect(life.quota).toEqual(['tried']);
  life.happen(failed('limit', 'heard', life.wallMs + 1_000));
  expect(life.quota).toEqual(['tried', 'closed']);
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' }).hear();
  life.happen(replied());
  expect(life.quota).toEqual(['tried', 'closed', 'tried', 'opened']);
});
