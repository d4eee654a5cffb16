/** Tasks, runs and ended loops on the overview: their section, their order, and what is drawn again. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../../shared/schema/attention/attention.ts';
import type { PastLoop } from '../../../../shared/schema/loops/past-loop.ts';
import type { Task } from '../../../../shared/schema/tasks/task.ts';
import { type GridCell, gridCells } from '../../../../web/lib/overview/tiles/grid-cells.ts';
import { groupBy } from '../../../../web/lib/overview/group-by.ts';
import { pastBadge } from '../../../../web/lib/overview/tiles/past-badge.ts';
import { recentLoops } from '../../../../web/lib/overview/recent-loops.ts';
import { searchTiles } from '../../../../web/lib/overview/search-tiles.ts';
import { SECTIONS } from '../../../../web/lib/overview/section-name.ts';
import { DONE_LISTED, groupEntries } from '../../../../web/lib/overview/sections.ts';
import { TileMemory } from '../../../../web/lib/overview/tiles/tile-memory.ts';
import { WorkMemory } from '../../../../web/lib/overview/work/work-memory.ts';
import { runTile, taskTile } from '../../../../web/lib/overview/work/work-tile.ts';
import { createLiveWork } from '../../../../web/lib/state/live-work.ts';
import { exampleRun } from '../../../support/runs/example-run.ts';
import { exampleTask } from '../../../support/tasks/example-task.ts';

const NOON_MS = Date.parse('2026-01-02T12:00:00.000Z');
const DAY_MS = 86_400_000;
/** So many hours before noon. */
const ago = (hours: number) => new Date(NOON_MS - hours * 3_600_000).toISOString();
const SINCE_MS = NOON_MS - DAY_MS;

const COMPLETION = { claimed_by: 'agent', claim: 'Done.', confidence: null, commit: null } as const;

function asked(kind: 'task' | 'run', id: string): AttentionItem {
  return {
    id: `${kind}-${id}`,
    subject: { kind, id },
    session: null,
    task: kind === 'task' ? id : null,
    reason: 'question',
    title: 'Which language?',
    detail: null,
    request: null,
    raised_at: ago(1),
    cleared_at: null,
    outcome: null,
    by: null,
    answer: null,
  };
}

function pastLoop(session: string, change: Partial<PastLoop> = {}): PastLoop {
  return {
    run_id: session,
    session,
    task_dir: `/tasks/${session}`,
    agent: 'claude',
    started_at: ago(3),
    ended_at: ago(2),
    outcome: 'ended',
    reason: 'completed',
    unproven: null,
    evidence: [],
    error: null,
    iterations: 3,
    restart_count: 0,
    recovery_count: 0,
    seconds: { working: 3600, waiting: 0, quota: 0, recovering: 0 },
    current_share: null,
    waits_for: null,
    complete: true,
    ...change,
  };
}

function done(name: string, hours: number, change: Partial<Task> = {}): Task {
  const completed_at = ago(hours);
  return exampleTask(name, {
    status: 'COMPLETED',
    completed_at,
    updated_at: completed_at,
    ...change,
  });
}

const TASKS = [
  exampleTask('draft', { status: 'PENDING' }),
  exampleTask('queued', { status: 'PENDING', queue_position: 1 }),
  exampleTask('running', { status: 'RUNNING' }),
  exampleTask('asking', { status: 'PAUSED', waiting_for_input: true }),
  exampleTask('failed-asked', { status: 'FAILED' }),
  exampleTask('failed', { status: 'FAILED', completed_at: ago(2), updated_at: ago(2) }),
  done('fresh', 1),
  done('yesterday', 25),
];
const RUNS = [
  exampleRun('r-running'),
  exampleRun('r-done', { status: 'done', completed_at: ago(3) }),
  exampleRun('r-asked', { status: 'failed', completed_at: ago(30) }),
];

function listed(memory = new WorkMemory()) {
  const open = [asked('task', 'failed-asked'), asked('run', 'r-asked')];
  return memory.list(TASKS, RUNS, open, SINCE_MS);
}

it('OV16 tasks and runs are in the sections of the sessions; an open item comes before an end', () => {
  const sections = groupEntries(listed());
  const keys = SECTIONS.map((name) => [name, sections[name].map(({ key }) => key).sort()]);
  expect(Object.fromEntries(keys)).toEqual({
    needs: ['run:r-asked', 'task:asking', 'task:failed-asked'],
    waiting: ['task:queued'],
    working: ['run:r-running', 'task:running'],
    done: ['run:r-done', 'task:failed', 'task:fresh'],
    idle: ['task:draft'],
  });
});

it('OV17 what ended within a day is listed, the latest first, at most twelve of all kinds', () => {
  const tasks = Array.from({ length: 10 }, (_, n) => done(`t${n}`, n + 1));
  const loops = Array.from({ length: 5 }, (_, n) => {
    return pastLoop(`s${n}`, { ended_at: ago(n + 0.5) });
  });
  const works = new WorkMemory().list(tasks, [], [], SINCE_MS);
  const open = [0, 1, 2, 3, 4].map((n) => ({
    name: `s${n}`,
    cwd: '/srv',
    terminal: 'tmux' as const,
    status: 'open' as const,
    owner: null,
    agent: null,
    created_at: ago(9),
  }));
  const ended = recentLoops(loops, SINCE_MS);
  const tiles = new TileMemory().list(createLiveWork(open, [], [], [], NOON_MS), ended);
  const { done: recent, idle } = groupEntries([...tiles, ...works]);
  expect(recent).toHaveLength(DONE_LISTED);
  expect(recent.map(({ name }) => name).slice(0, 4)).toEqual(['s0', 't0', 's1', 't1']);
  expect(idle).toEqual([]);
  // A session whose loop is no longer listed is still there.
  const many = Array.from({ length: 12 }, (_, n) => done(`n${n}`, 0.1));
  const all = new WorkMemory().list(many, [], [], SINCE_MS);
  const later = groupEntries([...tiles, ...all]);
  expect(later.done.every(({ kind }) => kind === 'task')).toBe(true);
  expect(later.idle.map(({ name }) => name)).toEqual(['s0', 's1', 's2', 's3', 's4']);
});

it('OV17 the last loop of a session counts, unless it runs, is older, or belongs to another session', () => {
  const loops = [
    pastLoop('again', { started_at: ago(9), ended_at: ago(8) }),
    pastLoop('again', { started_at: ago(1), ended_at: null, outcome: null, reason: null }),
    pastLoop('old', { ended_at: ago(25) }),
    pastLoop('closed'),
    pastLoop('demo', { agent: 'stand-in' }),
  ];
  const ended = recentLoops(loops, SINCE_MS);
  expect([...ended.keys()]).toEqual(['closed', 'demo']);
  // The demo was removed with its session.
  const work = createLiveWork([], [], [], [], NOON_MS);
  expect(groupEntries(new TileMemory().list(work, ended)).done.map(({ name }) => name)).toEqual([
    'closed',
  ]);
});

it('OV18 an end is shown as what it is: completed, not verified, failed or stopped', () => {
  const label = (task: Partial<Task>) => taskTile(done('a', 1, task), []).badge.label;
  expect(label({ completion: { ...COMPLETION, proof: 'proven' } })).toBe('Completed');
  expect(label({ completion: { ...COMPLETION, proof: 'unproven' } })).toBe('Unverified');
  expect(label({ status: 'FAILED' })).toBe('Failed');
  expect(label({ status: 'STOPPED' })).toBe('Stopped');
  expect(runTile(exampleRun('a', { status: 'done', proof: 'unproven' }), []).badge.label).toBe(
    'Unverified',
  );
  expect(pastBadge(pastLoop('a'))).toMatchObject({ label: 'Completed', tone: 'good' });
  expect(pastBadge(pastLoop('a', { outcome: 'failed' })).label).toBe('Failed');
  expect(pastBadge(pastLoop('a', { reason: 'user_stop' })).label).toBe('Stopped');
});

it('OV19 an event or a new reading changes only the tile of the task or run it is about', () => {
  const memory = new WorkMemory();
  const before = memory.list(TASKS, RUNS, [], SINCE_MS);
  const copies = TASKS.map((task) => ({ ...task }));
  expect(memory.list(copies, RUNS, [], SINCE_MS)).toBe(before);
  const changed = copies.map((task) =>
    task.task_name === 'running' ? { ...task, iterations: 7 } : task,
  );
  const after = memory.list(changed, RUNS, [], SINCE_MS);
  expect(after.filter((tile, at) => tile !== before[at]).map(({ key }) => key)).toEqual([
    'task:running',
  ]);
});

it('OV19, OV21 a change leaves the cells of all other cards, and the headings it does not touch', () => {
  const memory = new WorkMemory();
  const cellsOf = (tasks: Task[], before: readonly GridCell[]) => {
    const sections = groupEntries(memory.list(tasks, [], [], SINCE_MS));
    return gridCells(groupBy('state', sections, null), null, before);
  };
  const tasks = ['a', 'b', 'c', 'd'].map((name) => exampleTask(name, { status: 'PENDING' }));
  const before = cellsOf(tasks, []);
  expect(before.map(({ heading }) => heading?.count ?? null)).toEqual([4, null, null, null]);
  const worked = tasks.map((task) =>
    task.task_name === 'c' ? { ...task, status: 'RUNNING' as const } : { ...task },
  );
  const after = cellsOf(worked, before);
  expect(after.map(({ entry, heading }) => [entry.name, heading?.label, heading?.count])).toEqual([
    ['c', 'Working', 1],
    ['a', 'Idle', 3],
    ['b', undefined, undefined],
    ['d', undefined, undefined],
  ]);
  // The first one has another count above it.
  expect(after.filter((cell) => before.includes(cell)).map(({ entry }) => entry.name)).toEqual([
    'b',
    'd',
  ]);
  const idle = groupBy('state', groupEntries(memory.list(worked, [], [], SINCE_MS)), null);
  expect(gridCells(idle, 'idle', after)).toEqual([after[0]]);
});

it('OV20 a search finds tasks and runs by kind, branch, project and person', () => {
  const task = exampleTask('greet', { branch_name: 'task/greet', created_by: 'Mia' });
  const works = new WorkMemory().list([task], [exampleRun('r1')], [], SINCE_MS);
  const find = (query: string) => searchTiles(works, query).map(({ key }) => key);
  expect(find('task/greet mia')).toEqual(['task:greet']);
  expect(find('run r1')).toEqual(['run:r1']);
  expect(find('nothing like that')).toEqual([]);
});

it('OV21 groups are the sections, the projects or the people, each thing once', () => {
  const works = new WorkMemory().list(
    [
      exampleTask('a', { status: 'PENDING', root_folder: '/one', created_by: 'Mia' }),
      exampleTask('b', { root_folder: '/two', status: 'RUNNING', created_by: 'Mia' }),
      exampleTask('c', { status: 'PENDING', root_folder: '/one', created_by: null }),
    ],
    [],
    [],
    SINCE_MS,
  );
  const sections = groupEntries(works);
  const grouped = (...choice: [Parameters<typeof groupBy>[0], 'working' | null]) =>
    groupBy(choice[0], sections, choice[1]).map(({ label, entries }) => [
      label,
      entries.map(({ entry }) => entry.name).join(),
    ]);
  expect(grouped('state', null)).toEqual([
    ['Working', 'b'],
    ['Idle', 'a,c'],
  ]);
  expect(grouped('project', null)).toEqual([
    ['/one', 'a,c'],
    ['/two', 'b'],
  ]);
  expect(grouped('person', null)).toEqual([
    ['Mia', 'b,a'],
    ['Person not recorded', 'c'],
  ]);
  expect(grouped('person', 'working')).toEqual([['Mia', 'b']]);
});
