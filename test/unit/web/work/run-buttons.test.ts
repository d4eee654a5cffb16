/** What the page of a run offers, the next step first. */
import { expect, it } from 'vitest';
import type { Run } from '../../../../shared/schema/runs/run.ts';
import { unquotedEvidence } from '../../../../web/lib/runs/run-wait.ts';
import { runButtons } from '../../../../web/lib/runs/work/run-buttons.ts';
import { exampleRun, RUN_AT } from '../../../support/runs/example-run.ts';

const round = (iteration: number, more: object) => ({
  iteration,
  at: RUN_AT,
  commit: 'abc',
  changed: true,
  checks: 'passed' as const,
  detail: '',
  verdict: null,
  findings: '',
  ...more,
});

it('RX23 the first action fits how the run ended', () => {
  const kinds = (more: Partial<Run>) =>
    runButtons(exampleRun('r1', more)).map(({ action, kind }) => `${action} ${kind}`);
  const over: Partial<Run> = { actions: ['resume', 'merge', 'delete'] };
  const redo = [round(0, { checks: 'tests_failed' })];
  const doubted = [round(0, { verdict: 'fail' })];
  expect(kinds({ ...over, status: 'failed', reason: 'stuck', rounds: redo })).toEqual([
    'checks primary',
    'resume plain',
    'merge plain',
    'delete quiet',
  ]);
  for (const reason of ['timeout', 'max_cost', 'max_tokens', 'api_error'] as const) {
    expect(kinds({ ...over, status: 'failed', reason })[0]).toBe('resume primary');
  }
  // What broke the run is not the check.
  expect(kinds({ ...over, status: 'failed', reason: 'timeout', rounds: redo }).slice(0, 2)).toEqual(
    ['resume primary', 'checks plain'],
  );
  expect(kinds({ ...over, status: 'stopped', reason: 'user_stop' })[0]).toBe('resume primary');
  const [findings] = runButtons(
    exampleRun('r1', { ...over, status: 'failed', reason: 'fix_limit', rounds: doubted }),
  );
  expect(findings).toEqual({ action: 'checks', label: 'Show findings', kind: 'primary' });
  const done: Partial<Run> = { status: 'done', reason: 'completed', actions: ['merge', 'delete'] };
  expect(kinds({ ...done, rounds: doubted })).toEqual(['merge primary', 'delete quiet']);
  expect(kinds({ ...done, merged_into: 'main' })[0]).toBe('merge plain');
  expect(kinds({ status: 'waiting', actions: ['stop', 'input', 'accept_plan'] })).toEqual([
    'review primary',
    'stop plain',
  ]);
  expect(kinds({ status: 'failed', reason: 'stuck', valid: false, actions: ['delete'] })).toEqual([
    'delete quiet',
  ]);
});

it('RX23 evidence that the error quotes is not shown twice', () => {
  const lines = ['npm test: exit code 1', 'expected a name'];
  const evidence = [{ witness: 'checks' as const, at: RUN_AT, lines }];
  const left = (error: string | null) =>
    unquotedEvidence({ error, evidence }).map((each) => each.lines);
  expect(left(null)).toEqual([lines]);
  expect(left('3 times npm test: exit code 1')).toEqual([['expected a name']]);
  expect(left(lines.join('\n'))).toEqual([]);
});
