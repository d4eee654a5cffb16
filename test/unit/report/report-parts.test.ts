/** What a report concludes from its units: what needs a person, what to merge, what is unusual. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { Subject } from '../../../shared/schema/events/subject.ts';
import { reportLines } from '../../../server/cli/print/print-report.ts';
import { momentSince, momentUntil } from '../../../server/cli/past-moment.ts';
import { anomaliesOf } from '../../../server/report/anomalies.ts';
import { type ChangedBranch, mergeOrders, overlapsOf } from '../../../server/report/merge-order.ts';
import { needsOf } from '../../../server/report/needs.ts';
import { reportMarkdown } from '../../../server/report/report-markdown.ts';
import { Units } from '../../../server/report/units.ts';
import { whoseWord } from '../../../server/report/whose-word.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { unitAsked, unitName } from '../../../shared/words/work/report-text.ts';
import { aReport, aUnit, completed } from '../../support/runs/report-unit.ts';

function item(
  subject: Subject,
  reason: AttentionItem['reason'],
  raised_at = '2026-11-22T01:00:00.000Z',
): AttentionItem {
  const over = { cleared_at: null, outcome: null, by: null, answer: null };
  const { kind, id } = subject;
  const [session, task] = [kind === 'session' ? id : null, kind === 'task' ? id : null];
  const text = { title: `about ${id}`, detail: null, request: null };
  return { id: `i-${id}`, subject, session, task, reason, ...text, raised_at, ...over };
}

it('MR6 what work waits for comes first, what more depends on before that, then the oldest', () => {
  const units = [
    aUnit('a', { state: 'waiting' }),
    aUnit('b', { state: 'waiting' }),
    aUnit('next', { state: 'queued' }),
    aUnit('last', { state: 'queued' }),
    aUnit('broken', { state: 'ended', outcome: 'failed', closed_at: '2026-11-22T00:00:00.000Z' }),
    completed('good', true),
    completed('claimed', false, 0),
    completed('merged', true, 0),
  ];
  const items = [
    item({ kind: 'task', id: 'a' }, 'question', '2026-11-22T00:00:00.000Z'),
    item({ kind: 'task', id: 'b' }, 'question'),
    item({ kind: 'session', id: 'web' }, 'permission', '2026-11-21T10:00:00.000Z'),
  ];
  const dependents = new Map([
    ['b', ['next']],
    ['next', ['last', 'b']],
  ]);
  const needs = needsOf({ units, items, dependents });
  expect(needs.map(({ kind, unit, blocks }) => [kind, unit, blocks])).toEqual([
    ['answer', 'task:b@1', 2],
    ['answer', null, 0],
    ['answer', 'task:a@1', 0],
    ['decide', 'task:broken@1', 0],
    ['review', 'task:claimed@1', 0],
    ['review', 'task:good@1', 0],
  ]);
});

it('MR6 one cause that stops several counts for each of them', () => {
  const units = ['a', 'b'].map((name) => aUnit(name, { state: 'waiting' }));
  const items = [
    item({ kind: 'session', id: 'web' }, 'question', '2026-11-20T00:00:00.000Z'),
    ...units.map(({ name }) => item({ kind: 'task', id: name }, 'login_needed')),
  ];
  const [first] = needsOf({ units, items, dependents: new Map() });
  expect(first).toMatchObject({ unit: 'task:a@1', reason: 'login_needed', blocks: 1 });
});

it('MR6 an item of a session is about what works in it now', () => {
  const units = [
    aUnit('web', { kind: 'loop', state: 'ended', opened_at: '2026-11-21T23:30:00.000Z' }),
    aUnit('web', { kind: 'respawn', state: 'waiting' }),
  ];
  const items = [item({ kind: 'session', id: 'web' }, 'question')];
  expect(needsOf({ units, items, dependents: new Map() })[0]?.unit).toBe('respawn:web@1');
});

function branch(name: string, files: string[], more: Partial<ChangedBranch> = {}): ChangedBranch {
  const place = { repository: '/p', branch: `task/${name}`, base: 'main', unit: `task:${name}@1` };
  return { ...place, name, dependsOn: [], isCompleted: true, isProven: true, files, ...more };
}

it('RX25 a run is called by the first line of what was asked, and has its other lines below', () => {
  const run = aUnit('20260101-1', { kind: 'run', asked: 'Greet by name\n\nIn Latin.' });
  expect([unitName(run), unitAsked(run)]).toEqual(['Greet by name', 'In Latin.']);
  expect(unitAsked({ ...run, asked: 'Greet by name' })).toBeNull();
  const long = { ...run, asked: 'x'.repeat(200) };
  expect([unitName(long).length, unitAsked(long)]).toEqual([120, long.asked]);
  const task = aUnit('docs', { asked: 'Correct the links' });
  expect([unitName(task), unitAsked(task)]).toEqual(['docs', 'Correct the links']);
  expect(unitAsked({ ...task, asked: 'docs' })).toBeNull();
  const failed = { ...run, state: 'ended', outcome: 'failed', closed_at: run.opened_at } as const;
  const [need] = needsOf({ units: [failed], items: [], dependents: new Map() });
  expect(need?.title).toBe('Run “Greet by name” failed');
});

it('a found session is called by its directory and its pid', () => {
  const found = aUnit('4711-1767225600000', { kind: 'found', project: '/home/ada/shop' });
  expect(unitName(found)).toBe('shop (pid 4711)');
  expect(unitName({ ...found, project: null })).toBe('pid 4711');
});

it('MR8 branches that change the same files are named, of one repository only', () => {
  const found = overlapsOf([
    branch('a', ['x.ts', 'y.ts']),
    branch('b', ['y.ts', 'x.ts', 'z.ts'], { isCompleted: false }),
    branch('c', ['z.ts']),
    branch('d', ['x.ts'], { repository: '/q' }),
  ]);
  expect(found).toEqual([
    { repository: '/p', branches: ['task/a', 'task/b'], files: ['x.ts', 'y.ts'], count: 2 },
    { repository: '/p', branches: ['task/b', 'task/c'], files: ['z.ts'], count: 1 },
  ]);
});

it('MR8 what others depend on is merged first, then what is proven and shares least', () => {
  const [order] = mergeOrders([
    branch('unproven', ['u.ts'], { isProven: false }),
    branch('shared', ['x.ts']),
    branch('wide', ['x.ts', 'y.ts', 'z.ts']),
    branch('alone', ['a.ts', 'b.ts']),
    branch('before', ['q.ts', 'r.ts', 's.ts', 't.ts'], { isProven: false }),
    branch('after', ['v.ts'], { dependsOn: ['before', 'gone'] }),
    branch('open', ['x.ts'], { isCompleted: false }),
    branch('empty', []),
  ]);
  const steps = (order?.steps ?? []).map(({ branch, after }) => [branch.slice(5), after]);
  expect(steps).toEqual([
    ['alone', []],
    ['shared', []],
    ['wide', ['task/shared']],
    ['unproven', []],
    ['before', []],
    ['after', []],
  ]);
});

it('MR9 twice the usual cost of its project and five restarts are anomalies', () => {
  const cost = (id: string, costMicros: number, project = '/p') =>
    ({ kind: 'task', id, project, costMicros }) as const;
  const spent = (name: string, micro_usd: number, restarts = 0) => {
    const total = { tokens: null, cost: { micro_usd, sources: [], latest_at: '' } };
    return aUnit(name, { used: { interval: total, total }, restarts });
  };
  const costs = [cost('a', 1e6), cost('b', 1e6), cost('c', 2e6), cost('x', 4e6), cost('y', 1e6)];
  const found = anomaliesOf([spent('x', 4e6), spent('y', 1e6, 5), spent('c', 1.9e6, 4)], costs);
  expect(found.map(({ kind, unit }) => [kind, unit])).toEqual([
    ['cost', 'task:x@1'],
    ['restarts', 'task:y@1'],
  ]);
  expect(found[0]?.text).toBe('x cost $4.00, 4.0 times what is usual in its project ($1.00)');
  // The factor is that of the two amounts as they are shown.
  const cheap = ['d', 'e', 'f'].map((id) => cost(id, 14_600));
  const [uneven] = anomaliesOf([spent('x', 4e6)], [...cheap, cost('x', 4e6)]);
  expect(uneven?.text).toContain('cost $4.00, 400.0 times what is usual in its project ($0.01)');
  expect(anomaliesOf([spent('x', 0.99e6)], [...cheap, cost('x', 0.99e6)])).toEqual([]);
  // With two others nothing is usual.
  expect(anomaliesOf([spent('x', 4e6)], costs.slice(2))).toEqual([]);
});

it('MR4 a completion is the word of the checks only where they passed', () => {
  const at = '2026-11-21T22:00:00.000Z';
  const event = (seq: number, type: string, data: object) =>
    ({ seq, at, type, subject: { kind: 'task', id: 't' }, data: { task: 't', ...data } }) as never;
  const ended = (reason: string, status: string, author?: string) =>
    event(9, 'task.status', { status, before: 'RUNNING', reason, error: null, author });
  const test = (status: string, commit: string) =>
    event(4, 'task.tests', { name: 'npm test', status, commit });
  const word = (...events: EventRecord[]) => {
    const units = new Units();
    units.add(event(1, 'task.created', { root_folder: '/p', branch_name: null }));
    for (const each of events) units.add(each);
    const [found] = units.openIn(Date.parse(at), Date.parse(at) + 1);
    return found === undefined ? null : [whoseWord(found.unit), found.unit.proof?.state];
  };
  const judged = event(3, 'task.criteria', { by: 'model', accepted: true });
  const done = ended('criteria_met', 'COMPLETED');
  expect(word(judged, test('passed', 'c1'), done)).toEqual(['checks', 'proven']);
  expect(word(judged, test('failed', 'c1'), test('passed', 'c2'), done)).toEqual([
    'checks',
    'proven',
  ]);
  expect(word(judged, test('passed', 'c1'), test('skipped', 'c2'), done)).toEqual([
    'model',
    'unproven',
  ]);
  expect(word(judged, done)).toEqual(['model', undefined]);
  expect(word(ended('claimed_done', 'COMPLETED'))).toEqual(['agent', undefined]);
  expect(word(test('failed', 'c1'), ended('tests_failed', 'FAILED'))).toEqual([
    'checks',
    'refuted',
  ]);
  expect(word(ended('max_cost', 'EXHAUSTED'))).toEqual(['limit', undefined]);
  expect(word(ended('user_stop', 'STOPPED', 'Mia'))).toEqual(['person', undefined]);
});

it('MR10 the text begins with what needs a person, and foreign text stays text', () => {
  const units = [completed('good', true), aUnit('evil', { asked: '# [x](http://evil) `a`\n# b' })];
  const report = aReport({ units, needs: needsOf({ units, items: [], dependents: new Map() }) });
  const markdown = reportMarkdown(report, { base: 'http://h:1', time: (iso) => iso });
  const [, , lead] = markdown.split('\n');
  expect(lead).toBe('**Review first: [Task good completed](http://h:1/tasks/good)**  ');
  expect(markdown).not.toMatch(/^# b/m);
  expect(markdown).toContain('> ``# [x](http://evil) `a` # b``');
  expect(markdown).toContain('ended by the checks');
  expect(markdown).toContain('Verified: 1 check at a1b2c3d');
  const [line] = reportLines(report, (iso) => iso);
  expect(line).toBe('Review first: Task good completed');
  expect(reportLines(aReport(), (iso) => iso)[0]).toBe('Nothing needs you.');
});

it('MR11 the shell takes a time of day as its latest beginning', () => {
  const now = new Date('2026-11-22T07:30:00.000Z');
  expect(momentSince('20:00', { utc: true }, now)).toBe('2026-11-21T20:00:00.000Z');
  expect(momentUntil('06:30', { utc: true }, now)).toBe('2026-11-22T06:30:00.000Z');
  expect(momentSince('2026-11-20', { utc: true }, now)).toBe('2026-11-20T00:00:00.000Z');
  expect(() => momentSince('12', {}, now)).toThrow('--since 12: not a valid time');
  expect(() => momentUntil('25:00', {}, now)).toThrow('--until 25:00');
});
