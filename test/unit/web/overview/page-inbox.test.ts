/** What the inbox keeps, shows and offers: pure parts of the page. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../../shared/schema/attention/attention.ts';
import type { EventData } from '../../../../shared/schema/events/events.ts';
import { sessionSubject } from '../../../../shared/schema/events/subject.ts';
import { nextStep, whomText } from '../../../../shared/words/attention-text.ts';
import { runNextStep } from '../../../../shared/words/work/run-text.ts';
import { inboxGroups, neighbourOf } from '../../../../web/lib/attention/inbox-groups.ts';
import { itemActions, itemCommands } from '../../../../web/lib/attention/item-actions.ts';
import {
  EMPTY_INBOX,
  lastSettled,
  withCleared,
  withClearing,
  withOpenItems,
} from '../../../../web/lib/state/inbox.ts';

const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(BEGIN_MS + seconds * 1000).toISOString();
const item = (id: string, session: string, seconds: number): AttentionItem => ({
  id,
  subject: { kind: 'session', id: session },
  session,
  task: null,
  reason: 'permission',
  title: 'Bash: ls',
  detail: null,
  request: null,
  raised_at: at(seconds),
  cleared_at: null,
  outcome: null,
  by: null,
  answer: null,
});
const [A, B, C] = [item('a', 'web', 0), item('b', 'docs', 1), item('c', 'web', 2)];
const OPEN = withOpenItems(EMPTY_INBOX, [A, B, C]);
const CLEARING: EventData<'attention.cleared'> = {
  id: 'a',
  reason: 'permission',
  outcome: 'answered',
  by: 'Mia',
  answer: 'allow',
};
const ids = (items: readonly AttentionItem[]) => items.map(({ id }) => id).join('');

it('IB7 an item that ended is kept with who ended it, by event or by reading', () => {
  const after = withClearing(OPEN, CLEARING, at(9));
  expect([ids(after.open), ids(after.cleared)]).toEqual(['bc', 'a']);
  expect(lastSettled(after)).toMatchObject({ by: 'Mia', answer: 'allow', cleared_at: at(9) });
  // The list was read before the event came: the item is kept.
  const read = withOpenItems(OPEN, [B, C]);
  expect([ids(read.open), ids(read.leaving)]).toEqual(['bc', 'a']);
  expect(withClearing(read, CLEARING, at(9))).toEqual(after);
  // An older list does not bring it back.
  expect(withOpenItems(after, [A, B, C])).toEqual(after);
  // Read by its id after a refusal, and received as an event as well: once.
  const twice = withClearing(withCleared(OPEN, { ...A, cleared_at: at(9) }), CLEARING, at(9));
  expect(ids(twice.cleared)).toBe('a');
});

it('IB1, IB7 sessions are ordered by their oldest item, and ended items leave after a moment', () => {
  const after = withClearing(OPEN, CLEARING, at(10));
  const shown = (seconds: number, late: string[] = []) =>
    inboxGroups(after, BEGIN_MS + seconds * 1000, late).map(
      ({ session, items }) => `${session} ${ids(items)}`,
    );
  expect(shown(17)).toEqual(['web ac', 'docs b']);
  expect(shown(18)).toEqual(['docs b', 'web c']);
  expect(shown(39, ['a'])).toEqual(['web ac', 'docs b']);
  expect(shown(40, ['a'])).toEqual(['docs b', 'web c']);
});

it('IB2 the focus goes to the next open item, else to the one before', () => {
  const groups = inboxGroups(withClearing(OPEN, CLEARING, at(10)), BEGIN_MS + 11_000, []);
  const next = (id: string) => neighbourOf(groups, id)?.id ?? null;
  expect([next('a'), next('c'), next('b')]).toEqual(['c', 'b', 'c']);
  expect(neighbourOf(inboxGroups(EMPTY_INBOX, 0, []), 'a')).toBe(null);
});

it('IB5 each reason offers the actions that help and no others', () => {
  const running = { status: 'running', stop_reason: null } as const;
  const failed = { status: 'failed', stop_reason: 'crashed' } as const;
  const of = (reason: AttentionItem['reason']) => ({
    reason,
    session: 'web',
    subject: sessionSubject('web'),
  });
  expect(itemActions(of('restart_limit'), failed)).toEqual(['restart', 'remove']);
  expect(itemActions(of('stalled'), running)).toEqual(['continue', 'stop']);
  expect(itemActions(of('agent_error'), null)).toEqual(['continue']);
  expect(itemActions(of('untested_client'), running)).toEqual(['trust', 'stop']);
  expect(itemActions(of('login_needed'), null)).toEqual([]);
  // A dialog: text would be held, and a number would answer blindly.
  expect(itemActions(of('trust_needed'), running)).toEqual([]);
  const commands = (reason: AttentionItem['reason']) =>
    itemCommands(of(reason), null).map(({ text }) => text);
  expect(commands('login_needed')).toEqual(['loopwatch session attach web', '/login']);
  expect(commands('unknown_screen')[1]).toContain('loopwatch classify web.txt');
  const afterFailure = itemCommands(of('restart_limit'), failed).map(({ text }) => text);
  expect(afterFailure).toEqual(['loopwatch session attach web', 'loopwatch loop restart web']);
  expect(commands('stalled')).toEqual(['loopwatch session attach web']);
});

it('RX25 a run is called by its title, and two of one title stay two', () => {
  const of = (id: string): AttentionItem => ({
    ...item(id, 'web', 0),
    session: null,
    subject: { kind: 'run', id },
    run_title: 'Greet by name',
  });
  expect(whomText(of('r1'))).toBe('run “Greet by name”');
  const groups = inboxGroups(withOpenItems(EMPTY_INBOX, [of('r1'), of('r2')]), BEGIN_MS, []);
  expect(groups.map(({ subject, run_title }) => [subject.id, run_title])).toEqual([
    ['r1', 'Greet by name'],
    ['r2', 'Greet by name'],
  ]);
});

it('RX17 an item of a run names it, says its next step and leads to its page alone', () => {
  const subject = { kind: 'run', id: 'r1' } as const;
  const item = { reason: 'plan_review', session: null, subject } as const;
  expect(whomText(item)).toBe('run r1');
  expect(nextStep(item)).toBe(runNextStep('plan_review'));
  expect(itemActions(item, null)).toEqual([]);
  expect(itemCommands(item, null)).toEqual([
    { text: 'loopwatch run show r1', use: 'show the run in a shell' },
  ]);
});
