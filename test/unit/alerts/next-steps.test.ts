/** What to do is true of what it is said about: a loop, a task, a run, a found session. */
import { expect, it } from 'vitest';
import { plainMessage } from '../../../server/alerts/deliveries/plain-message.ts';
import { respawnShare, runShare, taskShare } from '../../../server/report/shares.ts';
import { movesQueue } from '../../../shared/rules/events/event-reach.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { Subject } from '../../../shared/schema/events/subject.ts';
import { nextStep } from '../../../shared/words/attention-text.ts';
import { taskTile } from '../../../web/lib/overview/work/work-tile.ts';
import { exampleTask } from '../../support/tasks/example-task.ts';

const AT = '2026-01-01T00:00:00.000Z';
const LOOP: Subject = { kind: 'session', id: 'web' };
const TASK: Subject = { kind: 'task', id: 'docs' };
const RUN: Subject = { kind: 'run', id: 'r1' };
const FOUND: Subject = { kind: 'found', id: '12-34' };

const next = (subject: Subject, reason: Reason) => nextStep({ reason, subject });

it('AT26 a loop that did not resume after its limit, and work that failed, do not “continue automatically”', () => {
  expect(next(LOOP, 'quota')).toBe('Open the terminal: the agent did not resume after its limit.');
  expect(next(TASK, 'overloaded')).toBe('Recover the task once the model answers again.');
  expect(next(RUN, 'overloaded')).toBe('Resume the run once the model answers again.');
});

it('AT26 what waits for a person is continued by an input, and a run has no “recover”', () => {
  expect(next(RUN, 'login_needed')).toContain('send the run an input');
  expect(next(RUN, 'agent_error')).toContain('send the run an input');
  expect(next(TASK, 'agent_error')).toContain('send the task an input');
  for (const reason of ['worktree_failed', 'session_lost', 'fix_limit'] as const) {
    expect(next(RUN, reason)).toMatch(/resume the run/);
  }
});

it('AT26 a permission that only the terminal can give is not said to be given on the page', () => {
  const permission = { subject: LOOP, reason: 'permission' } as const;
  expect(nextStep({ ...permission, request: null })).toBe(
    'Open the terminal: allow or deny it there.',
  );
  expect(nextStep(permission)).toBe('Allow or deny it, in the inbox or in the terminal.');
});

function toDo(type: string, subject: Subject, data: object): string | undefined {
  const event = { seq: 1, at: AT, type, subject, session: null, data };
  const body = JSON.stringify({ type, timestamp: AT, data: event, digest: null });
  const { text } = plainMessage(body, { page: 'https://loop.example', acknowledge: null });
  return text.split('\n').find((line) => line.startsWith('What to do: '));
}

it('AL60 a message says what to do about its subject, and nothing about what is over', () => {
  const item = { id: 'i', title: 't', outcome: 'gone', by: null, answer: null };
  const raised = (subject: Subject, reason: Reason) =>
    toDo('attention.raised', subject, { ...item, reason });
  expect(raised(FOUND, 'crashed')).toContain('claude --resume');
  expect(raised(TASK, 'question')).toContain('Send the task the answer.');
  expect(raised(LOOP, 'question')).toContain('Open the terminal: answer the question.');
  expect(toDo('attention.cleared', LOOP, { ...item, reason: 'question' })).toBeUndefined();
  expect(toDo('session.closed', LOOP, { reason: 'terminal_lost' })).toBeUndefined();
  const blocked = { reason: 'interrupted', cycle: 1, until: null, evidence: [] };
  expect(toDo('respawn.blocked', { kind: 'respawn', id: 'web' }, blocked)).toBeUndefined();
});

it('AL60 a task that continues on its own is not said to need a person', () => {
  const status = (reason: Reason, until: string | null) => {
    const data = { task: 'docs', status: 'PAUSED', before: 'RUNNING', reason, until, error: null };
    return toDo('task.status', TASK, data);
  };
  expect(status('overloaded', AT)).toContain('Retries automatically.');
  expect(status('quota', AT)).toContain('Resumes automatically after the reset.');
  expect(status('question', null)).toContain('Send the task the answer.');
});

it('MR3 a wait for what is kept for people is no wait for a person', () => {
  expect(taskShare('PAUSED', 'reserve')).toBe('quota');
  expect(runShare('waiting', 'reserve')).toBe('quota');
  expect(respawnShare(null, 'reserve', false)).toBe('quota');
  expect(taskShare('PAUSED', 'agent_not_started')).toBe('recovering');
});

it('TA2 a run that begins or ends moves the tasks behind it', () => {
  expect(['run.created', 'run.status', 'run.deleted', 'run.check'].map(movesQueue)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('TW7 the tile of a task says what it does now', () => {
  const doing = (more: object) => taskTile(exampleTask('docs', more), []).line;
  expect(doing({ progress: 'Preparing its 1st turn.' })).toBe('Preparing its 1st turn');
  expect(doing({ status: 'TESTING', progress: 'Running its tests on the host.' })).toBe(
    'Running its tests on the host',
  );
});
