/** Where the overview shows each session: its section, its position there, and what a search finds. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../../shared/schema/attention/attention.ts';
import type { Loop, Session } from '../../../../shared/schema/model.ts';
import { readChoice, writeChoice } from '../../../../web/lib/overview/overview-choice.ts';
import { countOverview, overviewSummary } from '../../../../web/lib/overview/overview-counts.ts';
import { groupFound } from '../../../../web/lib/found/found-tiles.ts';
import { searchTiles } from '../../../../web/lib/overview/search-tiles.ts';
import { SECTIONS } from '../../../../web/lib/overview/section-name.ts';
import { groupEntries } from '../../../../web/lib/overview/sections.ts';
import { TileMemory } from '../../../../web/lib/overview/tiles/tile-memory.ts';
import { apply } from '../../../../web/lib/state/apply.ts';
import { createLiveWork, type LiveWork } from '../../../../web/lib/state/live-work.ts';
import { agentState, PERMISSION } from '../../../support/agents/agent-states.ts';
import { eventRecord } from '../../../support/events/event-record.ts';
import { exampleItem } from '../../../support/house/example-item.ts';
import { exampleLoop } from '../../../support/auto/example-loop.ts';
import { foundSession } from '../../../support/found/found-session.ts';

const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(BEGIN_MS + seconds * 1000).toISOString();

function session(name: string, agent: Session['agent'] = null): Session {
  return {
    name,
    cwd: `/srv/${name}`,
    terminal: 'tmux',
    status: 'open',
    owner: null,
    agent,
    created_at: at(0),
  };
}

/** A loop right after its start, with these changes. */
function loop(session_name: string, change: Partial<Loop>): Loop {
  const started = exampleLoop({ started_at: at(0), status_since: at(0) });
  return { ...started, session_name, task_dir: `/tasks/${session_name}`, ...change };
}

function waiting(name: string, reason: 'quota' | 'crashed', seconds: number | null): Loop {
  const until = seconds === null ? null : at(seconds);
  const status = reason === 'quota' ? 'quota_wait' : 'restart_wait';
  return loop(name, { status, wait: { reason, since: at(0), until, next: '', evidence: [] } });
}

function item(id: string, name: string, seconds: number): AttentionItem {
  const subject = { kind: 'session' as const, id: name };
  return exampleItem({ id, subject, session: name, title: `Bash: ${id}`, raised_at: at(seconds) });
}

const WORK = createLiveWork(
  [
    ...['asked-late', 'asked-first', 'soon', 'later', 'never', 'shell', 'run'].map((name) =>
      session(name),
    ),
    session('lost', agentState({ state: 'unknown', since: at(50) })),
    session('gave-up', agentState({ state: 'errored', since: at(60) })),
    session('alone', agentState({ state: 'working' })),
    session('limited', agentState({ state: 'limited', until: at(200) })),
    session('retries', agentState({ state: 'errored' })),
    session('ready', agentState({ state: 'ready' })),
  ],
  [
    waiting('later', 'quota', 900),
    waiting('soon', 'crashed', 30),
    waiting('never', 'quota', null),
    loop('run', { status: 'running' }),
    loop('retries', { status: 'running' }),
    loop('no-session', { status: 'failed' }),
  ],
  [item('1', 'asked-first', 1), item('2', 'asked-late', 40), item('3', 'asked-first', 45)],
  [],
  BEGIN_MS,
);

function names(work: LiveWork) {
  const sections = groupEntries(new TileMemory().list(work));
  return Object.fromEntries(
    SECTIONS.map((name) => [name, sections[name].map((tile) => tile.name)]),
  );
}

it('OV1, OV2 every session is in one section, first the one asked first and the one that continues first', () => {
  expect(names(WORK)).toEqual({
    needs: ['asked-first', 'asked-late', 'lost', 'gave-up', 'no-session'],
    waiting: ['soon', 'limited', 'later', 'never'],
    // Its loop makes this one continue.
    working: ['alone', 'retries', 'run'],
    done: [],
    idle: ['ready', 'shell'],
  });
});

it('OV5 a search matches names, directories, task modules and state texts, all words together', () => {
  const tiles = new TileMemory().list(WORK);
  const find = (query: string) => searchTiles(tiles, query).map((tile) => tile.name);
  expect(find('SOON')).toEqual(['soon']);
  expect(find('/srv/re')).toEqual(['ready', 'retries']);
  expect(find('/tasks/no-')).toEqual(['no-session']);
  expect(find('needs asked')).toEqual(['asked-first', 'asked-late']);
  expect(find('waiting for quota')).toEqual(['later', 'never']);
  expect(find('bash: 2')).toEqual(['asked-late']);
  expect(find('nothing like that')).toEqual([]);
  expect(find('  ')).toHaveLength(tiles.length);
});

it('OV8 an event changes only the tile it is about', () => {
  const memory = new TileMemory();
  const before = memory.list(WORK);
  const restarted = eventRecord(
    { type: 'auto.restarted', session: 'x', data: { restart_count: 1 } },
    1,
    at(0),
  );
  expect(memory.list({ ...WORK, events: [restarted] })).toBe(before);
  // The inbox is read as a whole: the same items arrive as other objects.
  const open = WORK.inbox.open.map((one) => ({ ...one }));
  expect(memory.list({ ...WORK, inbox: { ...WORK.inbox, open } })).toBe(before);

  const changed = eventRecord(
    {
      type: 'session.agent_changed',
      session: 'alone',
      data: { agent: agentState({ state: 'ready' }) },
    },
    2,
    at(99),
  );
  const after = memory.list(apply(WORK, changed));
  const others = after.filter((tile, place) => tile !== before[place]);
  expect(others.map((tile) => tile.name)).toEqual(['alone']);
  const retitled = open.map((one) => (one.id === '2' ? { ...one, title: 'Bash: rm' } : one));
  const asked = memory.list({ ...WORK, inbox: { ...WORK.inbox, open: retitled } });
  expect(asked.find((tile) => tile.name === 'asked-late')?.items[0]?.title).toBe('Bash: rm');
});

it('OV1 everything in one sentence counts every section', () => {
  const nowhere = groupEntries([]);
  const own = groupEntries(new TileMemory().list(WORK));
  const all = overviewSummary(countOverview(own, groupFound([], '')));
  expect(all).toMatch(
    /^14 sessions: 5 need you; 4 waiting, next at \d\d:\d\d; 3 working; 2 idle\.$/,
  );
  const one = createLiveWork([session('shell')], [], [], [], 0);
  const alone = groupEntries(new TileMemory().list(one));
  expect(overviewSummary(countOverview(alone, groupFound([], '')))).toBe(
    '1 session: none need you; 1 idle.',
  );
  const limited = agentState({ state: 'limited', until: at(60) });
  const elsewhere = [foundSession('1-1', PERMISSION), foundSession('2-2', limited)];
  const both = countOverview(
    alone,
    groupFound([{ host: null, sessions: elsewhere, inbox: [] }], ''),
  );
  expect(both).toEqual({
    counts: { needs: 1, waiting: 1, working: 0, done: 0, idle: 1 },
    kinds: { session: 3, task: 0, run: 0 },
    next: BEGIN_MS + 60_000,
  });
  expect(overviewSummary(countOverview(nowhere, groupFound([], '')))).toBe('No sessions yet.');
});

it('OV5 the address holds search and section, and an invalid one shows everything', () => {
  const choice = {
    show: 'waiting' as const,
    search: 'a & b',
    group: 'project' as const,
    host: null,
  };
  expect(readChoice(new URLSearchParams(writeChoice(choice)))).toEqual(choice);
  expect(writeChoice({ show: null, search: ' ', group: 'state', host: null })).toBe('');
  expect(readChoice(new URLSearchParams('show=__proto__&group=x'))).toEqual({
    show: null,
    search: '',
    group: 'state',
    host: null,
  });
});
