/** What a page shows of loops and the inbox after events. */
import { expect, it, vi } from 'vitest';
import type { Views } from '../../../../shared/schema/events/protocol.ts';
import type { EventDraft } from '../../../../shared/schema/events/events.ts';
import type { Rest } from '../../../../web/lib/client/rest.ts';
import { apply, applyViews } from '../../../../web/lib/state/apply.ts';
import { DueReads } from '../../../../web/lib/state/due-reads.ts';
import { createLiveWork } from '../../../../web/lib/state/live-work.ts';
import { Listeners } from '../../../../web/lib/state/listeners.ts';
import { readAmidViews } from '../../../../web/lib/state/read-amid-views.ts';
import { touchedLoop, WorkReader } from '../../../../web/lib/state/work-reader.ts';
import { agentState } from '../../../support/agents/agent-states.ts';
import { eventRecord } from '../../../support/events/event-record.ts';
import { exampleItem } from '../../../support/house/example-item.ts';
import { exampleLoop } from '../../../support/auto/example-loop.ts';

const NOTHING: Omit<Views, 'type' | 'seq'> = {
  loops: [],
  tasks: [],
  queue: null,
  runs: [],
  inbox: [],
  usages: [],
};
const EMPTY = createLiveWork([], [], [], [], 0);

function views(change: Partial<Views>): Views {
  return { type: 'views', seq: 1, ...NOTHING, ...change };
}

function record(draft: EventDraft) {
  return eventRecord({ ...draft, session: 'web' }, 1, '2026-01-01T00:00:00.000Z');
}

const ENDED: EventDraft = {
  type: 'auto.ended',
  data: {
    task_dir: '/tasks/web',
    reason: 'completed',
    iteration: 3,
    elapsed_seconds: 7,
    quota_wait_seconds: 5,
    restart_count: 0,
    recovery_count: 0,
    error: null,
    evidence: [],
  },
};

it('PG11 a loop is shown as the daemon sends it behind an event, and is gone with its end', () => {
  const quota = exampleLoop({ status: 'quota_wait', quota_wait_seconds: 10 });
  const work = applyViews(EMPTY, views({ loops: [quota] }), 5_000);
  expect(work.loops).toEqual({ web: { loop: quota, readAt: 5_000 } });
  const later = applyViews(work, views({ loops: [exampleLoop({ session_name: 'api' })] }), 6_000);
  expect(Object.keys(later.loops)).toEqual(['web', 'api']);
  expect(Object.keys(apply(later, record(ENDED)).loops)).toEqual(['api']);
});

it('PG11 the inbox of one subject is replaced, in the order in which items were raised', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((id, index) =>
    exampleItem({ id, raised_at: `2026-01-01T00:00:0${index}.000Z` }),
  );
  if (!first || !second || !third) throw new Error('three items');
  const other = { ...second, subject: { kind: 'task' as const, id: 'fix' } };
  const work = createLiveWork([], [], [first, other], [], 0);
  const { subject } = first;
  const ids = (items: (typeof first)[]) =>
    applyViews(work, views({ inbox: [{ subject, items }] }), 0).inbox.open.map(({ id }) => id);
  expect(ids([first, third])).toEqual(['a', 'b', 'c']);
  expect(ids([])).toEqual(['b']);
});

it('PG11 without views a loop is read after its own events, and always after those of its agent', () => {
  const changed = record({
    type: 'session.agent_changed',
    data: { agent: agentState({ state: 'waiting' }) },
  });
  const work = applyViews(EMPTY, views({ loops: [exampleLoop()] }), 0);
  const closed = record({ type: 'session.closed', data: { reason: 'requested' } });
  const read = (hasViews: boolean) => [
    touchedLoop(work, changed, hasViews),
    touchedLoop(EMPTY, changed, hasViews),
    touchedLoop(EMPTY, record(ENDED), hasViews),
    touchedLoop(work, closed, hasViews),
  ];
  expect(read(false)).toEqual(['web', null, 'web', null]);
  expect(read(true)).toEqual(['web', null, null, null]);
});

/** A reader of a daemon that answers when it is let, and what it showed. */
function heldReader() {
  const answers: (() => void)[] = [];
  const shown: string[] = [];
  let work = EMPTY;
  const call = async (name: string) =>
    new Promise((resolve) => {
      answers.push(() => resolve(name === 'listAttention' ? { items: [] } : { loops: [] }));
    });
  const reader = new WorkReader({
    rest: { call } as unknown as Rest,
    work: () => work,
    setLoop: (session) => shown.push(session),
    setOpenItems: () => shown.push('inbox'),
  });
  const view = (change: Partial<Views>) => {
    work = applyViews(work, views(change), Date.now());
  };
  /** Lets the read that is under way answer, once it began. */
  const answer = async () => {
    await vi.advanceTimersByTimeAsync(100);
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { reader, shown, answers, view, answer };
}

it('PG11 what came while a loop or the inbox was read is newer than the answer: it is read again', async () => {
  vi.useFakeTimers();
  try {
    const { reader, shown, answers, view, answer } = heldReader();
    reader.after(record(ENDED), false);
    reader.readInbox();
    await vi.advanceTimersByTimeAsync(100);
    expect(answers).toHaveLength(2);
    view({ loops: [exampleLoop()] });
    view({ inbox: [{ subject: { kind: 'session', id: 'web' }, items: [exampleItem()] }] });
    await answer();
    await answer();
    expect(shown).toEqual([]);
    await answer();
    await answer();
    expect(shown.sort()).toEqual(['inbox', 'web']);
    reader.stop();
  } finally {
    vi.useRealTimers();
  }
});

it('PG11 views that come while a list is read follow its answer, and no later one does', async () => {
  const listeners = new Listeners<Views>();
  const feed = { listenViews: (listener: (views: Views) => void) => listeners.add(listener) };
  const done: string[] = [];
  let resolve: (answer: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const reading = readAmidViews(
    feed,
    async () => promise,
    (answer) => done.push(answer),
    ({ seq }) => done.push(`views ${seq}`),
  );
  listeners.notify(views({ seq: 4 }));
  listeners.notify(views({ seq: 5 }));
  resolve('answer');
  await reading;
  listeners.notify(views({ seq: 6 }));
  expect(done).toEqual(['answer', 'views 4', 'views 5']);
});

it('CL54 a loop is read again once the time that its wait names has come', () => {
  vi.useFakeTimers();
  try {
    const read: string[] = [];
    const due = new DueReads((name) => read.push(name));
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    due.follow('web', inSeconds(10));
    due.follow('api', inSeconds(10));
    due.follow('late', inSeconds(-1));
    due.follow('next-month', inSeconds(40 * 86_400));
    // Another reset, and the end of a wait.
    due.follow('web', inSeconds(60));
    due.follow('api', null);
    vi.advanceTimersByTime(59_000);
    expect(read).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(read).toEqual(['web']);
    due.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
