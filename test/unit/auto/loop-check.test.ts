/** What follows when an agent announces its end: the machine's rules about the checks. */
import { expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { LoopChecked } from '../../../shared/schema/loops/loop-check.ts';
import { nextDeadline } from '../../../server/auto/machine/transition.ts';
import type { LoopFacts } from '../../../server/auto/machine/loop-state.ts';
import { Life, POLICY, SEEN } from '../../support/auto/loop-life.ts';

const REPORT = { step: 'report', result: '(generated)', next: '(stop)' } as const;

const command = (status: 'passed' | 'failed', output = '') => ({
  command: 'npm test',
  status,
  exit_code: status === 'passed' ? 0 : 1,
  output,
  duration_ms: 5,
});
const PASSED: LoopChecked = {
  outcome: 'passed',
  commit: 'c0ffee',
  checks: [command('passed')],
  detail: null,
};
const FAILED: LoopChecked = {
  ...PASSED,
  outcome: 'failed',
  checks: [command('failed', 'boom\n2 of 3 failed')],
};
const NONE: LoopChecked = { ...PASSED, outcome: 'none', checks: [] };
const BROKEN: LoopChecked = { ...NONE, outcome: 'error', commit: null, detail: 'git is missing' };

const WORKING: AgentState = {
  state: 'working',
  cause: 'none',
  detail: null,
  witness: 'record',
  since: '2026-01-01T00:00:00.000Z',
  until: null,
};

/** A loop whose agent has announced its end and is idle. */
function announced(stopCheck: 'off' | 'report' | 'send_back', change: Partial<LoopFacts> = {}) {
  const life = Life.running(change);
  life.policy = { ...POLICY, stopCheck };
  return life.signal(REPORT).observe('idle').observe('idle', 5_000);
}

const checked = (life: Life, result: LoopChecked | null) => life.meet({ kind: 'checked', result });

it('LP56 an announced end is accepted only after the checks, and not before the agent is idle', () => {
  const life = Life.running();
  life.policy = { ...POLICY, stopCheck: 'report' };
  life.signal(REPORT).observe('idle', 4_999);
  expect(life.done).toEqual([]);
  life.observe('idle', 5_000);
  expect(life.done).toEqual(['check']);
  expect(life.state).toMatchObject({ status: 'stopping', check: { failed: null } });
  // Neither time nor the agent ends it, and nothing is due.
  life.observe('idle', 60_000).observe('gone', 3_600_000).tick(3_600_000);
  expect(life.state && nextDeadline(life.state, life.policy)).toBe(null);
  expect([life.done, life.said]).toEqual([['check'], ['signal report']]);
  expect(checked(life, PASSED).said).toEqual(['signal report', 'checked', 'ended completed']);
});

it('LP56 an agent that exits after its end is checked in the same way', () => {
  const life = Life.running();
  life.policy = { ...POLICY, stopCheck: 'report' };
  expect(life.signal(REPORT).observe('gone').done).toEqual(['check']);
  expect(checked(life, PASSED).state).toBe(null);
});

it('LP56 so is one whose index alone says that the task is complete', () => {
  const life = Life.running();
  life.policy = { ...POLICY, stopCheck: 'report' };
  expect(life.observe('gone', 0, 'complete').done).toEqual(['check']);
  expect(life.state).toMatchObject({ status: 'stopping', stop: { by: 'agent' } });
  expect(checked(life, FAILED).lastEvents).toMatchObject([
    {},
    { data: { reason: 'completed', unproven: 'checks_failed' } },
  ]);
});

it.each([
  ['passed', PASSED, undefined, 'npm test: passed'],
  ['failed', FAILED, 'checks_failed', 'npm test: exit code 1, 2 of 3 failed'],
  ['none', NONE, 'no_checks', 'nothing to run'],
  ['error', BROKEN, 'not_checked', 'git is missing'],
])('LP57 after %s the end says what the host found', (_, result, unproven, line) => {
  const life = checked(announced('report'), result);
  const [told, ended] = life.lastEvents;
  expect(told).toMatchObject({ type: 'auto.checked', data: result });
  expect(ended?.data).toMatchObject({ reason: 'completed' });
  expect(ended?.data).toHaveProperty('evidence.1', {
    witness: 'checks',
    at: expect.any(String) as string,
    lines: [line],
  });
  expect(ended?.data && 'unproven' in ended.data ? ended.data.unproven : undefined).toBe(unproven);
});

it.each(['BLOCKED', 'conflict'] as const)('LP56 an end by %s claims nothing to check', (result) => {
  const step = result === 'conflict' ? 'merge' : 'check';
  const life = Life.running();
  life.policy = { ...POLICY, stopCheck: 'report' };
  life.signal({ ...REPORT, step, result }).observe('gone');
  expect([life.done, life.state]).toEqual([[], null]);
});

it('LP58 without the setting, and for a loop that is not checked, the end is accepted', () => {
  expect(announced('off').said.at(-1)).toBe('ended completed');
  const life = checked(announced('report'), null);
  expect(life.said).toEqual(['signal report', 'ended completed']);
  expect(life.lastEvents[0]?.data).not.toHaveProperty('unproven');
});

it('LP59 the wait for the checks has a name and says what runs', () => {
  const life = announced('report').meet({ kind: 'check_begun', commands: ['npm test', 'make'] });
  expect(life.said.at(-1)).toBe('check_started');
  expect(life.state?.wait).toMatchObject({
    reason: 'checking',
    evidence: [{ witness: 'checks', lines: ['npm test', 'make'] }],
  });
});

it('LP60 a stop by a person cancels the check, and the loop ends with it', () => {
  const life = announced('report')
    .meet({ kind: 'check_begun', commands: ['npm test'] })
    .stop();
  expect(life.done).toEqual(['check', 'cancel_check', 'write_stop_file']);
  checked(life, PASSED);
  expect(life.state).toMatchObject({ status: 'stopping', check: null });
  expect(life.observe('gone').said.at(-1)).toBe('ended user_stop');
});

it('LP60 an agent that reports again cancels it too', () => {
  const life = announced('report').signal({});
  expect(life.state).toMatchObject({ status: 'running', check: null, stop: null });
  expect(life.done).toEqual(['check', 'cancel_check']);
  expect(checked(life, FAILED).state?.status).toBe('running');
});

it('LP60 so does one that works again; once it is idle the checks run again', () => {
  const life = announced('report').meet({ kind: 'check_begun', commands: ['npm test'] });
  life.meet({ ...SEEN, known: WORKING });
  expect(life.state).toMatchObject({ status: 'stopping', check: null });
  expect(life.state?.wait).toMatchObject({ reason: 'completed' });
  expect(life.done).toEqual(['check', 'cancel_check']);
  life.observe('idle').observe('idle', 5_000);
  expect(life.done).toEqual(['check', 'cancel_check', 'check']);
  expect(checked(life, PASSED).said.at(-1)).toBe('ended completed');
});

it('LP60 a terminal that is closed meanwhile leaves the end unproven', () => {
  const life = announced('report').meet({ kind: 'terminal_gone', how: 'closed' });
  expect(life.lastEvents.at(-1)?.data).toMatchObject({
    reason: 'completed',
    unproven: 'not_checked',
  });
});

it('LP61 failed checks are sent back to the agent three times, then the loop ends unproven', () => {
  const life = announced('send_back');
  for (let times = 1; times <= 3; times += 1) {
    checked(life, FAILED);
    expect(life.lastEffects).toEqual([
      {
        kind: 'send_back',
        text: expect.stringContaining('npm test: exit code 1, 2 of 3 failed') as string,
      },
    ]);
    life.meet({ kind: 'typed', cause: 'check', delivery: 'delivered', detail: null });
    expect(life.state).toMatchObject({ status: 'running', sentBack: times, check: null });
    life
      .signal({ ...REPORT, iteration: times })
      .observe('idle')
      .observe('idle', 5_000);
  }
  expect(checked(life, FAILED).lastEvents.at(-1)?.data).toMatchObject({
    reason: 'completed',
    unproven: 'checks_failed',
  });
});

it('LP61 failed checks that cannot be typed to the agent end the loop unproven', () => {
  const life = checked(announced('send_back'), FAILED);
  life.meet({ kind: 'typed', cause: 'check', delivery: 'failed', detail: 'program_changed' });
  expect(life.lastEvents.at(-1)?.data).toMatchObject({ unproven: 'checks_failed' });
});

it('LP61 nothing else is sent back', () => {
  for (const result of [PASSED, NONE, BROKEN]) {
    expect(checked(announced('send_back'), result).state).toBe(null);
  }
});
