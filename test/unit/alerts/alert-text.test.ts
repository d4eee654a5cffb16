/** How the page describes a rule and its deliveries. */
import { expect, it } from 'vitest';
import {
  aboutText,
  attemptText,
  deliveryText,
  failureStep,
  quietText,
} from '../../../web/lib/alerts/alert-text.ts';
import { listensTo } from '../../../web/lib/alerts/alert-topics.ts';

const ALL = { sessions: null, tasks: null, subjects: null, reasons: null };

it('AP1 what a rule listens to is one sentence', () => {
  expect(aboutText({ types: ['auto.failed'], ...ALL })).toBe(
    'A loop failed, in any session, for any reason.',
  );
  expect(aboutText({ types: ['*'], ...ALL })).toBe('Every event, in any session, for any reason.');
  const much = aboutText({
    types: ['attention.raised', 'auto.ended', 'session.*'],
    sessions: ['web', 'api'],
    tasks: null,
    subjects: null,
    reasons: ['quota', 'stalled', 'crashed'],
  });
  expect(much).toBe(
    'An agent needs attention, a loop ended or events session.*, in web or api, because of Quota, Stalled or Agent crashed.',
  );
});

it('AP1 a rule for tasks says which', () => {
  const types = ['task.status'];
  const text = (more: Partial<Parameters<typeof aboutText>[0]>) =>
    aboutText({ types, ...ALL, ...more });
  expect(text({})).toBe('A task changes status, in any task, for any reason.');
  expect(text({ sessions: ['web'], tasks: ['fix-login'], reasons: ['tests_failed'] })).toBe(
    'A task changes status, in web or task fix-login, because of Tests failed.',
  );
});

it('AP2 quiet hours say whether they hold now, by the clock of their zone', () => {
  const quiet = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
  const night = Date.parse('2026-01-10T21:30:00Z');
  expect(quietText(quiet, night)).toEqual({
    text: 'Quiet from 22:00 to 07:00 in Europe/Berlin, active: deliveries are held until 07:00.',
    isQuiet: true,
  });
  const day = quietText(
    { ...quiet, except_reasons: ['permission', 'question'] },
    night - 3_600_000,
  );
  expect(day).toEqual({
    text: 'Quiet from 22:00 to 07:00 in Europe/Berlin, not active. Sent anyway: Permission and Question.',
    isQuiet: false,
  });
  expect(quietText(null, night)).toEqual({ text: 'No quiet hours.', isQuiet: false });
});

it('AP3 the result of an attempt is shown with its text and what to do', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const text = (state: 'sent' | 'waiting' | 'dead', status: number | null, error: string | null) =>
    attemptText({ state, status, error, at }).text;
  expect(text('sent', 204, null)).toBe('Delivered (204)');
  expect(text('sent', 0, null)).toBe('Delivered (exit code 0)');
  expect(text('waiting', 500, 'HTTP 500')).toBe('Failed, will retry: HTTP 500');
  expect(text('dead', 410, 'HTTP 410')).toBe('Failed: HTTP 410');
  expect(failureStep('no connection (ECONNREFUSED)')).toMatch(/Nothing listens/);
  expect(failureStep('HTTP 302 (redirects are not followed)')).toMatch(/redirect points to/);
  expect(failureStep('cannot run the command (ENOENT)')).toMatch(/absolute path/);
  expect(failureStep('exit code 3')).toMatch(/yourself/);
  expect(failureStep('something new')).toMatch(/Check the alert’s target/);
});

it('AP5 a delivery shows its attempts, and that it waits for its rule', () => {
  const delivery = {
    id: 'd',
    rule: 'r',
    seq: 1,
    type: 'auto.failed',
    session: null,
    output: null,
    task: null,
    next_try_at: null,
    created_at: '',
    changed_at: '',
    status: null,
    error: null,
    state: 'waiting' as const,
    events: 1,
    step: 0,
    attempts: 0,
  };
  expect(deliveryText(delivery, true)).toBe('no attempts yet');
  expect(deliveryText(delivery, false)).toBe('no attempts yet; the alert is off');
  const failed = { ...delivery, attempts: 2, status: 500, error: 'HTTP 500' };
  expect(deliveryText(failed, true)).toBe('2 attempts: HTTP 500');
  const sent = { ...delivery, state: 'sent' as const, attempts: 1, status: 204 };
  expect(deliveryText(sent, true)).toBe('1 attempt: 204');
  expect(deliveryText({ ...sent, status: 0 }, true)).toBe('1 attempt: exit code 0');
});

it('AP5, AL29 the page reads again for events that a rule selects; no pattern selects alerts', () => {
  expect(listensTo(['auto.*'], 'auto.failed')).toBe(true);
  expect(listensTo(['auto.failed'], 'auto.ended')).toBe(false);
  expect(listensTo(['*'], 'session.created')).toBe(true);
  expect(listensTo(['*', 'alert.*'], 'alert.sent')).toBe(false);
  expect(listensTo(['alert.failed'], 'alert.failed')).toBe(true);
});
