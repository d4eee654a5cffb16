/** What the page shows of sessions that Loopwatch did not start. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { FoundFacts } from '../../../shared/schema/agents/found.ts';
import { applyFound } from '../../../web/lib/found/apply-found.ts';
import { groupFound, nameOf } from '../../../web/lib/found/found-tiles.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { newestFirst } from '../../../web/lib/state/live-work.ts';
import { agentState, PERMISSION, WORKING } from '../../support/agents/agent-states.ts';
import { eventRecord } from '../../support/events/event-record.ts';
import { foundSession } from '../../support/found/found-session.ts';

const AT = '2026-01-01T00:10:00.000Z';
const IDLE = agentState({ state: 'ready' });

function factsOf(id: string, differs: Partial<FoundFacts> = {}): FoundFacts {
  const { client, conversation, cwd, project, branch, place, active_at } = foundSession(
    id,
    WORKING,
  );
  const facts = { client, conversation, cwd, project, branch, place, active_at };
  return { found: id, ...facts, agent: WORKING, ...differs };
}

it('FS18 a session appears, changes and leaves with its events, before it is read again', () => {
  const seen = foundSession('1-1', PERMISSION, { name: 'prices' });
  const appeared = eventRecord({ type: 'found.appeared', data: factsOf('2-2') }, 1, AT);
  const both = applyFound([seen], appeared);
  expect(both[0]).toBe(seen);
  expect(both[1]).toMatchObject({ id: '2-2', pid: 2, name: null, agent: WORKING, started_at: AT });

  const data = factsOf('1-1', { branch: 'fix' });
  const changed = applyFound(both, eventRecord({ type: 'found.changed', data }, 2, AT));
  expect(changed[0]).toEqual({ ...seen, branch: 'fix', agent: WORKING });
  expect(changed[1]).toBe(both[1]);

  const ended = { ...factsOf('1-1'), how: 'exited' as const };
  expect(applyFound(changed, eventRecord({ type: 'found.ended', data: ended }, 3, AT))).toEqual([
    both[1],
  ]);
});

it('FS18 an event without lines keeps those of the same state', () => {
  const agent = agentState({ state: 'errored', cause: 'billing', detail: 'no credit' });
  const seen = [foundSession('1-1', agent)];
  const change = (state: typeof agent) =>
    applyFound(
      seen,
      eventRecord({ type: 'found.changed', data: factsOf('1-1', { agent: state }) }, 1, AT),
    )[0]?.agent.detail;
  expect(change({ ...agent, detail: null })).toBe('no credit');
  expect(change(WORKING)).toBe(WORKING.detail);
});

it('FS18 who needs a person comes first, the one longest in its state at the top', () => {
  const since = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
  const sessions = [
    foundSession('1-1', { ...PERMISSION, since: since(5) }),
    foundSession('2-2', { ...IDLE, since: since(1) }),
    foundSession('3-3', { ...IDLE, since: since(2) }),
    foundSession('4-4', { ...WORKING, since: since(3) }),
    foundSession('5-5', { ...PERMISSION, since: since(4) }),
  ];
  const item = {
    id: 'item',
    subject: { kind: 'found', id: '2-2' },
    reason: 'work_left',
    title: 'The agent in shop is idle with work left',
  } as AttentionItem;
  const sections = groupFound([{ host: null, sessions, inbox: [item] }], '');
  const ids = (of: keyof typeof sections) => sections[of].map(({ session }) => session.id);
  expect([ids('needs'), ids('waiting'), ids('working'), ids('idle')]).toEqual([
    ['2-2', '5-5', '1-1'],
    [],
    ['4-4'],
    ['3-3'],
  ]);
  expect(sections.needs[0]?.items).toEqual([item]);
});

it('FS18 a search reads name, directory, branch, place, state and activity', () => {
  const transcript = {
    model: 'm',
    context_tokens: 1,
    call: { tool: 'Bash', subject: 'npm test', at: null },
    todo: null,
  };
  const one = foundSession('1-1', WORKING, { name: 'prices', branch: 'fix/tax', transcript });
  const finds = (query: string) =>
    groupFound([{ host: null, sessions: [one], inbox: [] }], query).working.length === 1;
  for (const query of ['prices', 'shop/src', 'fix/tax', 'PTS/3', 'working tool', 'npm test', '1']) {
    expect([query, finds(query)]).toEqual([query, true]);
  }
  expect(finds('prices elsewhere')).toBe(false);
  expect(nameOf({ name: null, project: '/home/me/shop' })).toBe('shop');
});

it('FS20 the latest events show a session at work once', () => {
  const event = (seq: number, type: 'found.appeared' | 'found.changed', agent = WORKING) =>
    eventRecord({ type, data: factsOf('1-1', { agent }) }, seq, AT);
  const asks = event(4, 'found.changed', PERMISSION);
  const again = { ...WORKING, since: '2026-01-01T00:20:00.000Z' };
  const events = [
    event(1, 'found.appeared'),
    event(2, 'found.changed'),
    event(3, 'found.changed'),
    asks,
    event(5, 'found.changed', again),
    event(6, 'found.changed', again),
  ];
  expect(newestFirst(events).map(({ seq }) => seq)).toEqual([5, 4, 1]);
  // Also when they come one by one.
  const live = events.reduce<readonly EventRecord[]>(
    (known, one) => newestFirst([one, ...known]),
    [],
  );
  expect(live.map(({ seq }) => seq)).toEqual([5, 4, 1]);
});

it('FS64 card, search and events name another client, and an event without one is of Claude Code', () => {
  const codex = foundSession('1-1', agentState({ state: 'running' }), { client: 'codex' });
  expect(
    groupFound([{ host: null, sessions: [codex], inbox: [] }], 'codex shop').working,
  ).toHaveLength(1);
  const event = (differs: Partial<FoundFacts>) =>
    eventRecord({ type: 'found.appeared', data: factsOf('1-1', differs) }, 1, AT);
  const named = event({ client: 'gemini', agent: agentState({ state: 'running' }) });
  expect(describeEvent(named).text).toBe('Gemini in shop found: Running');
  const old = event({});
  Reflect.deleteProperty(old.data, 'client');
  expect(describeEvent(old).text).toBe('Agent in shop found: Working: tool');
  expect(applyFound([], old)[0]?.client).toBe('claude');
});
