/** What each choice of permissions becomes: arguments, rules and settings, by client and project. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseClientVersion } from '../../../server/agents/client-version.ts';
import { hookSettings } from '../../../server/agents/hooks/hook-settings.ts';
import {
  launchPermissions,
  modeFlag,
  permissionSettings,
} from '../../../server/agents/launch/launch-permissions.ts';
import { ownProject } from '../../../server/modules/own-project.ts';
import { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const SHOP = { root: '/srv/shop', commands: ['npm test', 'npm run lint:css'] };
const STEPS = ['Bash(loopwatch step done:*)'];
const GIT = [
  'Bash(git add:*)',
  'Bash(git commit:*)',
  'Bash(git switch:*)',
  'Bash(git merge:*)',
  'Bash(git reset --merge ORIG_HEAD)',
  'Bash(git status)',
  'Bash(git diff)',
  'Bash(git log)',
];
const CHOICES = LoopPermissions.options;

/** A project of these files around a task directory, which is returned. */
function taskIn(files: Record<string, string>): string {
  const root = mkdtempSync(join(TEST_ROOT, 'own-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries({ '.git/HEAD': '', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const taskDir = join(root, 'AiTasks', 'one');
  mkdirSync(taskDir, { recursive: true });
  return taskDir;
}

function commandsOf(files: Record<string, string>): string[] {
  return ownProject(taskIn(files)).commands;
}

const known = (version: string) => parseClientVersion(`${version} (Claude Code)`);

it.each(['1.0.128', '2.0.76', '2.1.197', '2.1.329', '2.1.330', '3.0.0'])(
  'HK31 version %s is started with the mode of each choice, never the one that skips all checks',
  (version) => {
    const flags = CHOICES.map((chosen) =>
      modeFlag(known(version), launchPermissions(chosen, SHOP).mode),
    );
    expect(flags).toEqual([
      '--permission-mode default',
      '--permission-mode acceptEdits',
      '--permission-mode acceptEdits',
    ]);
  },
);

it.each([null, known('1.0.127'), known('0.2.9')])('HK31 client %j gets no flag', (version) => {
  expect(CHOICES.map((chosen) => modeFlag(version, launchPermissions(chosen, SHOP).mode))).toEqual([
    '',
    '',
    '',
  ]);
});

it('HK30, HK31, HK32, HK33 each choice becomes its mode and rules, and steps never ask', () => {
  const settings = CHOICES.map((chosen) => {
    const launch = launchPermissions(chosen, SHOP);
    // The mode of the user does not count once permissions are chosen.
    return [launch.mayCheck, permissionSettings(launch, 'plan', STEPS)];
  });
  expect(settings).toEqual([
    [false, { defaultMode: 'default', allow: STEPS }],
    [
      true,
      {
        defaultMode: 'acceptEdits',
        allow: [...STEPS, 'Bash(npm test:*)', 'Bash(npm run lint:css:*)', ...GIT],
        additionalDirectories: ['/srv/shop'],
      },
    ],
    [
      true,
      {
        defaultMode: 'acceptEdits',
        allow: [...STEPS, 'Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch'],
        additionalDirectories: ['/srv/shop'],
      },
    ],
  ]);
});

it('HK33 without commands of its own, a project gives no way around the question for check', () => {
  const bare = { root: '/srv/shop', commands: [] };
  expect(CHOICES.map((chosen) => launchPermissions(chosen, bare).mayCheck)).toEqual([
    false,
    false,
    true,
  ]);
});

const scripts = (...names: string[]) =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, 'x'])) });

it.each<[string[], Record<string, string>]>([
  [[], {}],
  [
    ['npm test', 'npm run test', 'npm run test:unit', 'npm run lint', 'npm run build'],
    { 'package.json': scripts('test', 'test:unit', 'lint', 'build') },
  ],
  [[], { 'package.json': scripts('deploy', 'publish', 'start', 'release:test', 'prepare') }],
  [
    ['make test', 'make lint'],
    { Makefile: 'test: all\n\tx\nlint:\n\ty\ndeploy:\n\tz\nbuild := a\n' },
  ],
  [['go test ./...', 'go test', 'go build', 'go vet'], { 'go.mod': '' }],
  [['cargo test', 'cargo build', 'cargo check', 'cargo clippy', 'cargo fmt'], { 'Cargo.toml': '' }],
  [
    ['pytest', 'python -m pytest', 'python3 -m pytest'],
    { 'pyproject.toml': '', 'tests/test_a.py': '' },
  ],
  [['mvn -B test'], { 'pom.xml': '' }],
])('HK32 the own commands %j come from %j', (commands, files) => {
  expect(commandsOf(files)).toEqual(commands);
});

it.each([
  'test:*',
  'test *',
  'test; rm -rf /',
  'test:x; rm -rf /',
  'lint)',
  'lint), Bash(',
  'build:$(id)',
  'build:`id`',
  'check:a|b',
  'check:a&b',
  'fmt:a>b',
  'test:',
  'test::x',
  ':test',
  'test\n',
  'tést',
  '--test',
  '__proto__',
])('HK32 a script called %j becomes no rule', (name) => {
  expect(commandsOf({ 'package.json': scripts(name) })).toEqual([]);
});

it('HK32 the project is the working tree around the task directory, else that directory', () => {
  const taskDir = taskIn({});
  expect(ownProject(taskDir).root).toBe(dirname(dirname(taskDir)));
  const outside = mkdtempSync(join(TEST_ROOT, 'none-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  expect(ownProject(outside).root).toBe(outside);
});

it.each([
  ['1.0.128', undefined],
  ['2.0.76', '1'],
  ['2.1.330', '1'],
])('HK34 version %s: the question about the session is off where it can be', (version, value) => {
  const settings = hookSettings(known(version), {
    node: '/usr/bin/node',
    relay: '/relay.js',
    runFile: '/hook.json',
    statusLineFile: null,
  });
  expect(settings?.env['CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY']).toBe(value);
});
