/** The checks of a project: which are found, and what their runs say. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { findChecks, runChecks } from '../../../server/modules/project-checks.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';

const PACKAGE = { scripts: { test: 'node --test' } };

function run(commands: (string | string[])[], timeoutMs = 60_000) {
  const directory = moduleDirectory();
  const { signal } = new AbortController();
  const environment = { PATH: process.env['PATH'] };
  return runChecks(commands, { directory, environment, clock: systemClock, timeoutMs, signal });
}

it.each([
  ['a test script', { 'package.json': PACKAGE }, [['npm', 'test']]],
  [
    'the test script of npm init',
    { 'package.json': { scripts: { test: 'echo "Error: no test specified" && exit 1' } } },
    [],
  ],
  ['a Makefile', { Makefile: 'all:\n\ttrue\ntest: all\n\ttrue\n' }, [['make', 'test']]],
  ['a Makefile without tests', { Makefile: 'all:\n\ttrue\ntest := no\n' }, []],
  ['Rust', { 'Cargo.toml': '[package]\n' }, [['cargo', 'test']]],
  ['Go', { 'go.mod': 'module x\n' }, [['go', 'test', './...']]],
  [
    'two kinds',
    { 'package.json': PACKAGE, 'go.mod': 'module x\n' },
    [
      ['npm', 'test'],
      ['go', 'test', './...'],
    ],
  ],
  ['nothing', {}, []],
])('LS8 a project with %s', (_, files, commands) => {
  expect(findChecks(moduleDirectory(), moduleDirectory(files))).toEqual(commands);
});

it('LS8 Python counts with a directory of tests', () => {
  const project = moduleDirectory({ 'pyproject.toml': '' });
  expect(findChecks(moduleDirectory(), project)).toEqual([]);
  mkdirSync(join(project, 'tests'));
  expect(findChecks(moduleDirectory(), project)).toEqual([['pytest']]);
});

it('LS8 commands that the module names replace those of the project', () => {
  const module = moduleDirectory();
  mkdirSync(join(module, '.test'));
  writeFileSync(
    join(module, '.test/commands'),
    '# how it is tested\n\nnpm run lint\n  make e2e  \r\n',
  );
  const project = moduleDirectory({ 'package.json': PACKAGE });
  expect(findChecks(module, project)).toEqual(['npm run lint', 'make e2e']);
});

it('LS8, LS21 all run, exit codes decide, and the end of the output is shown', async () => {
  const noise = 'i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo "line $i"; done';
  const { outcome, checks } = await run(['echo fine', `${noise}; exit 3`, 'echo last']);
  expect(outcome).toBe('failed');
  expect(checks.map(({ status, exit_code }) => [status, exit_code])).toEqual([
    ['passed', 0],
    ['failed', 3],
    ['passed', 0],
  ]);
  expect(checks[1]?.output.split('\n')).toHaveLength(40);
  expect(checks[1]?.output).toMatch(/line 61\n[\s\S]*line 100$/);
});

it('LS8 a check in which nothing ran proves nothing', async () => {
  expect((await run([])).outcome).toBe('none');
});

it('LS8 pytest without tests is not a failure', async () => {
  const directory = moduleDirectory();
  writeFileSync(join(directory, 'pytest'), '#!/bin/sh\nexit 5\n', { mode: 0o755 });
  const environment = { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
  const options = { directory, environment, clock: systemClock, timeoutMs: 60_000 };
  const { signal } = new AbortController();
  const { outcome, checks } = await runChecks([['pytest']], { ...options, signal });
  expect([outcome, checks[0]?.status]).toEqual(['none', 'no_tests']);
});

it('LS21 a check that hangs is killed, one that cannot start failed, and both say so', async () => {
  const hung = await run(['echo begun; sleep 1000'], 300);
  expect(hung.checks[0]).toMatchObject({
    status: 'failed',
    exit_code: null,
    output: 'begun\nkilled after 0.3 s',
  });
  const missing = await run([['no-such-program', 'test']]);
  expect(missing.checks[0]).toMatchObject({
    status: 'failed',
    output: 'cannot be started (ENOENT)',
  });
});

it('LS21 what a check writes cannot move the cursor of a terminal', async () => {
  const { checks } = await run(["printf '\\033[31mred\\033[0m \\033]0;title\\007\\r\\nnext'"]);
  expect(checks[0]?.output).toBe('red \\u{1b}]0;title\\u{7}\nnext');
});
