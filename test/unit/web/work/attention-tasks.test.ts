/** The inbox on a real database: what tasks need a person for. */
import { expect, it } from 'vitest';
import { attentionLines } from '../../../../server/cli/print/print-attention.ts';
import { describeEvent } from '../../../../shared/words/events/describe-event.ts';
import type { EventRecord } from '../../../../shared/schema/events/events.ts';
import { notificationText } from '../../../../web/lib/notify/notification-policy.ts';
import { inboxGroups } from '../../../../web/lib/attention/inbox-groups.ts';
import { apply } from '../../../../web/lib/state/apply.ts';
import { createLiveWork } from '../../../../web/lib/state/live-work.ts';
import { EMPTY_INBOX, withOpenItems } from '../../../../web/lib/state/inbox.ts';
import { PERMISSION } from '../../../support/agents/agent-states.ts';
import { ALLOW, refusalOf } from '../../../support/browser/ask-in.ts';
import { AttentionHome } from '../../../support/agents/attention-home.ts';

const TASK = { kind: 'task', id: 'fix-login' } as const;
const QUESTION = { reason: 'question', title: 'Which branch?', detail: null } as const;
const TESTS = { reason: 'tests_failed', title: 'npm test failed', detail: 'exit code 1' } as const;

function idOf(home: AttentionHome): string {
  return home.open()[0]?.id ?? '';
}

it('AT14, AT23 a task needs a person for one thing at a time, reported under its name first and no session', () => {
  using home = new AttentionHome();
  home.attention.require(TASK, QUESTION);
  home.attention.require(TASK, QUESTION);
  home.attention.require(TASK, { ...QUESTION, detail: 'main or next' });
  expect(home.open()).toMatchObject([
    { session: null, task: TASK.id, subject: TASK, ...QUESTION, detail: 'main or next' },
  ]);
  home.attention.require(TASK, TESTS);
  home.attention.require(TASK, null);
  home.attention.require(TASK, null);
  expect({ open: home.open(), words: home.words() }).toEqual({
    open: [],
    words: [
      'attention.raised question',
      'attention.cleared question resolved',
      'attention.raised tests_failed',
      'attention.cleared tests_failed resolved',
    ],
  });
  expect(home.events().map(({ session, data }) => [session, Object.entries(data)[0]])).toEqual(
    new Array(4).fill([null, ['task', 'fix-login']]),
  );
});

it.each(['task', 'run', 'found'] as const)(
  'AT14 events about a %s name it and no session',
  (kind) => {
    using home = new AttentionHome();
    const subject = { kind, id: 'one' };
    home.attention.require(subject, QUESTION);
    home.attention.require(subject, null);
    expect(home.events()).toMatchObject([
      { session: null, data: { [kind]: 'one' } },
      { session: null, data: { [kind]: 'one' } },
    ]);
  },
);

it('AT14, AT23 a task and a session with the same name are separate', () => {
  using home = new AttentionHome();
  home.attention.observe('web', PERMISSION);
  home.attention.require({ kind: 'task', id: 'web' }, TESTS);
  expect(home.open()).toMatchObject([
    { session: 'web', task: null },
    { session: null, task: 'web' },
  ]);
  home.attention.close({ kind: 'session', id: 'web' });
  expect(home.open()).toMatchObject([{ task: 'web' }]);
  home.attention.close({ kind: 'task', id: 'web' });
  expect(home.words().at(-1)).toBe('attention.cleared tests_failed gone');
});

it('AT22, AT23 it cannot be answered; once dismissed it is raised again only for another need, or after none', () => {
  using home = new AttentionHome();
  home.attention.require(TASK, QUESTION);
  expect(refusalOf(() => home.attention.answer(idOf(home), ALLOW, 'admin'))).toBe('not_answerable');
  expect(() => home.attention.answer(idOf(home), ALLOW, 'admin')).toThrow(
    'loopwatch task show fix-login',
  );
  expect(home.attention.dismiss(idOf(home), 'Mia')).toMatchObject({
    outcome: 'dismissed',
    by: 'Mia',
  });
  home.attention.require(TASK, QUESTION);
  expect(home.open()).toEqual([]);
  home.attention.require(TASK, TESTS);
  home.attention.dismiss(idOf(home), 'Mia');
  home.attention.require(TASK, null);
  home.attention.require(TASK, TESTS);
  expect(home.open()).toMatchObject([TESTS]);
});

it('AT20, AT23 the item of a task survives the daemon, is announced once, and is cleared with the task', () => {
  using home = new AttentionHome();
  home.attention.observe('web', PERMISSION);
  home.attention.require(TASK, TESTS);
  home.attention.dispose();
  home.restart();
  home.attention.require(TASK, TESTS);
  expect(home.open()).toMatchObject([{ subject: TASK }]);
  expect(home.words().filter((word) => word === 'attention.raised tests_failed')).toHaveLength(1);
  home.attention.close(TASK);
  expect(home.open()).toEqual([]);
});

it('AT23 a dismissed item stays dismissed over a restart, unless the task was past it', () => {
  using home = new AttentionHome();
  home.attention.require(TASK, TESTS);
  home.attention.dismiss(idOf(home), 'Mia');
  home.restart();
  home.attention.require(TASK, TESTS);
  expect(home.open()).toEqual([]);
  home.restart();
  home.attention.require(TASK, null);
  home.attention.require(TASK, TESTS);
  expect(home.open()).toMatchObject([TESTS]);
  // A new task inherits nothing from a removed one of the same name.
  home.attention.dismiss(idOf(home), 'Mia');
  home.attention.close(TASK);
  home.attention.require(TASK, null);
  home.attention.require(TASK, TESTS);
  expect(home.open()).toMatchObject([TESTS]);
});

it('AT12, AT14 the shell, a notification and the events name the task and its next step', () => {
  using home = new AttentionHome();
  home.attention.require(TASK, { ...QUESTION, title: 'Which \u001b[2J branch?' });
  const [item] = home.open();
  if (item === undefined) throw new Error('nothing is open');
  const lines = attentionLines(item, Date.parse(item.raised_at) + 125_000);
  expect(lines).toEqual([
    `${item.id}  task fix-login  for 2:05`,
    '  Question: Which \\u{1b}[2J branch?',
    '  Send the task the answer.',
    '  loopwatch task show fix-login',
  ]);
  expect(notificationText(item).title).toBe('task fix-login: Question');
  const [published] = home.events();
  const event = { seq: 1, at: item.raised_at, type: published?.type, data: published?.data };
  expect(describeEvent(event as EventRecord).text).toBe(
    'Task fix-login: Question: Which \u001b[2J branch?',
  );
});

it('IB1, AT14 the page groups items of a task, and notices when they are over', () => {
  using home = new AttentionHome();
  home.attention.require(TASK, QUESTION);
  home.attention.observe('fix-login', PERMISSION);
  const open = home.open();
  const groups = inboxGroups(withOpenItems(EMPTY_INBOX, open), 0, []);
  expect(groups.map(({ session, task }) => [session, task])).toEqual([
    [null, 'fix-login'],
    ['fix-login', null],
  ]);
  home.attention.require(TASK, null);
  const published = home.events().find(({ type }) => type === 'attention.cleared');
  const event = { seq: 3, at: open[0]?.raised_at, type: published?.type, data: published?.data };
  const work = apply(createLiveWork([], [], open, [], 0), event as EventRecord);
  expect(work.inbox.open.map(({ session }) => session)).toEqual(['fix-login']);
});
