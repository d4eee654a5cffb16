import { expect, it } from 'vitest';
import { directoryTags } from '../../../../web/lib/directory/directory-tags.ts';
import {
  fitting,
  parentPath,
  splitPath,
  trailOf,
  trimSlashes,
} from '../../../../web/lib/directory/typed-path.ts';
import { directoryCheck } from '../../../../web/lib/loop/start-checks.ts';
import { limitErrors, presetOf } from '../../../../web/lib/loop/start-limits.ts';
import { suggestName } from '../../../../shared/rules/work/suggest-name.ts';
import type { Directory } from '../../../../shared/schema/modules/directories.ts';

const PLAIN: Directory = {
  name: 'shop',
  path: '/r/shop',
  access: 'open',
  git: null,
  task: null,
  startable: true,
  session: null,
  loop: null,
};

it.each([
  ['', null, ''],
  ['sho', null, 'sho'],
  ['/', '/', ''],
  ['/home', '/', 'home'],
  [' /home/you/ ', '/home/you', ''],
  ['/home/you/sh', '/home/you', 'sh'],
])('SD8 %j is in %j and filters by %j', (typed, base, filter) => {
  expect(splitPath(typed)).toEqual({ base, filter });
});

it('SD8 Backspace goes up by one name, and to the start points above the first', () => {
  expect([parentPath('/a/b/'), parentPath('/a/'), trimSlashes('/a//'), trimSlashes('/')]).toEqual([
    '/a/',
    '',
    '/a',
    '/',
  ]);
});

it('SD8 names that begin with the filter come before names that contain it', () => {
  const items = ['My-shop', 'blog', 'shop', 'SHOPPING'].map((name) => ({ name }));
  expect(fitting(items, 'shop').map(({ name }) => name)).toEqual(['shop', 'SHOPPING', 'My-shop']);
});

it('SD8 the trail begins at the root that contains the path', () => {
  expect(trailOf('/srv/web/app', ['/srv/we', '/srv/web']).map(({ path }) => path)).toEqual([
    '/srv/web',
    '/srv/web/app',
  ]);
  expect(trailOf('/etc', ['/srv'])).toEqual([]);
});

it('SD11 a name is free, short enough and after the directory', () => {
  const taken = ['shop', 'shop-2', 'x'.repeat(32)];
  expect(suggestName('/r/shop/', taken)).toBe('shop-3');
  expect(suggestName('/r/My shop (old)', taken)).toBe('My-shop-old');
  expect(suggestName(`/r/${'x'.repeat(40)}`, taken)).toBe(`${'x'.repeat(30)}-2`);
  expect([suggestName('', taken), suggestName('/', taken)]).toEqual(['', '']);
});

it('SD9 conflicts of a start on a directory are shown before it', () => {
  const verdict = (more: Partial<Directory>) => directoryCheck({ ...PLAIN, ...more })?.verdict;
  const loop = { session_name: 'web', status: 'running' as const };
  expect(directoryCheck(null)).toBeNull();
  expect(verdict({})).toBe('doubt');
  expect(verdict({ task: 'task' })).toBe('good');
  expect(verdict({ task: 'tasks' })).toBe('doubt');
  expect(verdict({ task: 'task', loop })).toBe('bad');
  expect(verdict({ task: 'task', loop: { ...loop, status: 'failed' } })).toBe('good');
  expect(verdict({ task: 'task', startable: false })).toBe('bad');
  expect(verdict({ access: 'unreadable' })).toBe('bad');
});

it('SD8 a directory is described as text', () => {
  const loop = { session_name: 'web', status: 'running' as const };
  const busy = { ...PLAIN, task: 'task', git: 'worktree', loop, session: 'web' } as const;
  expect(directoryTags(busy)).toEqual(['task', 'loop in web', 'worktree']);
  expect(directoryTags({ ...busy, access: 'outside' })).toEqual(['outside the roots']);
});

it('PG4 limits are those of the daemon, and know which preset they are', () => {
  expect(presetOf({ maxIterations: 20, timeoutMinutes: 30 })).toBe('usual');
  expect(presetOf({ maxIterations: 20, timeoutMinutes: 31 })).toBe('own');
  expect(limitErrors({ maxIterations: 1000, timeoutMinutes: 10_080 })).toEqual({});
  expect(Object.keys(limitErrors({ maxIterations: 1001, timeoutMinutes: null }))).toHaveLength(2);
});
