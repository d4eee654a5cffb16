/** What a person keeps of the overview in this browser, and its column of events. */
import { expect, it } from 'vitest';
import { eventLine, groupEvents } from '../../../../web/lib/overview/event-groups.ts';
import { parseViews, withoutView, withView } from '../../../../web/lib/overview/saved-views.ts';
import { agentState } from '../../../support/agents/agent-states.ts';
import { eventRecord } from '../../../support/events/event-record.ts';

it('OV22 a view is saved under a name, replaced by the same name, and deleted', () => {
  const first = withView([], { name: ' Mine ', query: '?show=needs' });
  expect(first).toEqual([{ name: 'Mine', query: '?show=needs' }]);
  const both = withView(first, { name: 'All', query: '' });
  expect(both.map(({ name }) => name)).toEqual(['All', 'Mine']);
  expect(withView(both, { name: 'Mine', query: '?q=a' })).toEqual([
    { name: 'All', query: '' },
    { name: 'Mine', query: '?q=a' },
  ]);
  expect(withoutView(both, 'All')).toEqual(first);
  expect(withView(first, { name: '  ', query: '' })).toBe(first);
  expect(parseViews(JSON.stringify(both))).toEqual(both);
});

it('OV22 stored views that this page did not write are dropped', () => {
  expect(parseViews(null)).toEqual([]);
  expect(parseViews('{')).toEqual([]);
  expect(parseViews('{"name":"a"}')).toEqual([]);
  const hostile = [{ name: 'a', query: 'javascript:alert(1)' }, null, { name: 1, query: '' }];
  expect(parseViews(JSON.stringify([...hostile, { name: 'b', query: '?q=c' }]))).toEqual([
    { name: 'b', query: '?q=c' },
  ]);
});

it('OV24 events are grouped by what they are about, the latest group first, in words', () => {
  const agent = (session: string, seq: number) =>
    eventRecord(
      {
        type: 'session.agent_changed',
        session,
        data: { agent: agentState({ state: 'working', detail: null }) },
      },
      seq,
    );
  const groups = groupEvents([agent('b', 3), agent('a', 2), agent('b', 1)]);
  expect(groups.map(({ key, events }) => [key, events.map(({ seq }) => seq)])).toEqual([
    ['b', [3, 1]],
    ['a', [2]],
  ]);
  const raised = eventRecord(
    {
      type: 'attention.raised',
      session: 'a',
      data: {
        id: '1',
        answerable: true,
        reason: 'permission',
        title: 'Bash: {"command":"ls"}',
      },
    },
    4,
  );
  expect(eventLine(raised)).not.toContain('{"');
  expect(eventLine(raised)).toContain('…');
});

it('OV24 a run is called by its title, once for its group', () => {
  const run = '20260102-030405-abc';
  const created = { run, title: 'Greet', working_dir: '/w', branch: null, author: 'ada' };
  const events = [
    eventRecord({ type: 'run.created', data: created }, 1),
    eventRecord(
      {
        type: 'run.plan',
        data: { run, action: 'edited', author: 'ada', hash: 'h' },
      },
      2,
    ),
    eventRecord(
      {
        type: 'run.phase',
        data: { run, phase: 'fix', before: 'review', iteration: 2 },
      },
      3,
    ),
  ];
  const [group] = groupEvents(events, (id) => (id === run ? 'Greet by name' : null));
  expect(group?.label).toBe('run “Greet by name”');
  expect(groupEvents(events)[0]?.label).toContain(run);
  expect(events.map(eventLine)).toEqual([
    'Run created by ada: Greet',
    'Plan edited by ada',
    'Fix 2',
  ]);
});
