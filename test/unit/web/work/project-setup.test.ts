/** What a person may write into the setup of a project, and what projects are called. */
import { expect, it } from 'vitest';
import { SetProjectSetup } from '../../../../shared/schema/tasks/project-setup.ts';
import { setupBody, setupValues } from '../../../../web/lib/projects/setup-values.ts';
import { projectNames } from '../../../../web/lib/ui/text/project-names.ts';

const accepts = (change: object) =>
  SetProjectSetup.safeParse({ path: '/srv/web', ...change }).success;

it.each(['.env', 'packages/web/.env', 'a b', '.github/x', '.gitignore', 'x.git', '…', 'ä/ö'])(
  'WT62 %j is a path below a project',
  (path) => expect([accepts({ copy: [path] }), accepts({ share: [path] })]).toEqual([true, true]),
);

it.each([
  '',
  '/etc/passwd',
  '..',
  '../x',
  'a/../b',
  'a/..',
  './a',
  '.',
  'a//b',
  'a/',
  '.git',
  '.git/config',
  'sub/.GIT/hooks',
  'a\nb',
  'a\u0000',
  'a\\b',
])('WT62 %j is none', (path) => {
  expect([accepts({ copy: [path] }), accepts({ share: [path] })]).toEqual([false, false]);
});

it('WT62 a path is either copied or shared, and a command is one line', () => {
  expect(accepts({ copy: ['a'], share: ['a'] })).toBe(false);
  expect(accepts({ setup: 'npm ci && npm run build' })).toBe(true);
  expect(accepts({ setup: 'true\nrm x' })).toBe(false);
  expect(accepts({ setup: ' ' })).toBe(false);
  expect([0, 1, 120, 121].map((minutes) => accepts({ minutes }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('WT66 lists are edited as lines, and nothing is lost on the way', () => {
  const setup = {
    project: '/srv/web',
    copy: ['.env', 'a b'],
    share: ['node_modules'],
    setup: 'npm ci',
    teardown: null,
    minutes: 5,
    is_on: true,
    author: 'mia',
    changed_at: '2026-01-01T00:00:00.000Z',
  };
  const { project: path, is_on: _on, author: _who, changed_at: _at, ...same } = setup;
  expect(setupBody(setupValues(setup))).toEqual({ path, ...same });
  const typed = { ...setupValues(null), path: ' /srv/web ', copy: '\n .env \n\n', share: 'lib/\n' };
  expect(setupBody(typed)).toMatchObject({ path: '/srv/web', copy: ['.env'], share: ['lib'] });
});

it('PG20 projects of one name have as much of their path as distinguishes them', () => {
  const names = (...paths: string[]) => [...projectNames(paths).values()];
  expect(names('/srv/shop', '/srv/docs')).toEqual(['shop', 'docs']);
  expect(names('/srv/a/shop', '/srv/b/shop', '/srv/docs')).toEqual(['a/shop', 'b/shop', 'docs']);
  expect(names('/a/x/shop', '/b/x/shop')).toEqual(['/a/x/shop', '/b/x/shop']);
  expect(names('/shop', '/srv/shop')).toEqual(['/shop', '/srv/shop']);
  expect(names('/srv/shop', '/srv/shop')).toEqual(['shop']);
  expect(names('/')).toEqual(['/']);
});
