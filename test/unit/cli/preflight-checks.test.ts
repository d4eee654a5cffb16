import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LoopName, startTemplate } from '../../../shared/rules/loops/known-loops.ts';
import { parseClientVersion } from '../../../server/agents/client-version.ts';
import { pluginDirectory } from '../../../server/agents/launch/plugin-directory.ts';
import { clientCheck, loginCheck } from '../../../server/preflight/agent-checks.ts';
import { readConfig } from '../../../server/lib/config/config.ts';
import { ProgramVersions } from '../../../server/lib/processes/program-versions.ts';
import { loopCheck, withLoop } from '../../../server/preflight/loop-check.ts';
import { inotifyCheck, judgeDisk, judgeInotify } from '../../../server/preflight/machine-checks.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

function home(files: Record<string, string> = {}) {
  const path = mkdtempSync(join(TEST_ROOT, 'h'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const environment = { HOME: path };
  return { path, environment, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

it.each([
  ['2.1.329 (Claude Code)', true, 'tested'],
  ['2.1.400 (Claude Code)', false, 'newer than the newest tested (2.1.330): it runs, and nothing'],
  ['2.1.401 (Claude Code)', true, 'newer than the newest tested (2.1.330), trusted'],
  ['0.2.1 (Claude Code)', true, 'too old for hooks'],
  ['codex-cli 0.169.0', true, 'unknown version'],
  [null, false, 'does not report its version'],
])('DR2 a client with the version %j', (answer, ok, words) => {
  const check = clientCheck(answer, false, (number) => number === '2.1.401');
  expect([check.ok, check.detail]).toEqual([ok, expect.stringContaining(words)]);
});

/** The check of a loop with an agent that says `answer`, started by the loop's own template. */
function checkLoop(
  environment: NodeJS.ProcessEnv,
  {
    loop = 'moonview',
    answer = '',
    isChosen = true,
    projects = [] as string[],
    template = startTemplate(loop),
  }: {
    loop?: LoopName;
    answer?: string;
    isChosen?: boolean;
    projects?: string[];
    template?: string;
  } = {},
) {
  const version = parseClientVersion(answer);
  return loopCheck({ loop, isChosen, template, version, environment, projects });
}

it.each([
  ['moonview', '.claude/commands/moonview/auto.md'],
  ['moonview', '.claude/plugins/cache/market/moonview/0.0.9/commands/auto.md'],
  ['moonview', '.claude/plugins/marketplaces/m/plugins/moonview/skills/auto/SKILL.md'],
  ['ai-cli-task', '.claude/plugins/cache/market/ai-cli-task/skills/auto/SKILL.md'],
  ['loopwatch', '.claude/plugins/cache/loopwatch/loopwatch/0.1.0/commands/auto.md'],
] as const)('DR3 the command of the loop %s is found in %s', (loop, file) => {
  using place = home({ [file]: 'x' });
  const { ok, detail } = checkLoop(place.environment, { loop });
  expect([ok, detail]).toEqual([true, expect.stringContaining(join(place.path, file))]);
  expect(detail).toContain(loop === 'loopwatch' ? 'loop of Loopwatch' : `loop ${loop}`);
});

it('DR3 the loop command of a project counts, one of another plugin does not', () => {
  using project = home({ '.claude/commands/moonview/auto.md': 'x' });
  using user = home({ '.claude/plugins/other/commands/auto.md': 'x' });
  expect(checkLoop(user.environment, { projects: [project.path] }).ok).toBe(true);
  const missing = checkLoop(user.environment);
  expect(missing.ok).toBe(false);
  expect(missing.detail).toContain(join(user.path, '.claude/plugins'));
});

it.each([
  ['2.1.197 (Claude Code)', true, pluginDirectory()],
  ['2.1.330 (Claude Code)', true, pluginDirectory()],
  ['2.1.196 (Claude Code)', false, 'cannot be handed to this agent'],
  ['codex-cli 0.169.0', false, 'cannot be handed to this agent'],
])('DR9 the loop of Loopwatch with a client that says %s', (answer, ok, words) => {
  using place = home({ '.claude/commands/moonview/auto.md': 'x' });
  const check = checkLoop(place.environment, { loop: 'loopwatch', answer });
  expect([check.ok, check.detail]).toEqual([ok, expect.stringContaining(words)]);
  if (!ok) expect(check.fix).toContain('claude plugin install loopwatch@loopwatch');
});

const MOONVIEW = { '.claude/commands/moonview/auto.md': 'x' };
const OURS = { '.claude/commands/loopwatch/auto.md': 'x' };

it.each([
  ['an old client and another loop', '2.1.196', MOONVIEW, {}, 'moonview'],
  ['an old client and both', '2.1.196', { ...MOONVIEW, ...OURS }, {}, 'loopwatch'],
  ['an old client and nothing else', '2.1.196', {}, {}, 'loopwatch'],
  ['a client that takes ours', '2.1.197', MOONVIEW, {}, 'loopwatch'],
  ['a choice', '2.1.197', MOONVIEW, { LOOPWATCH_LOOP: 'ai-cli-task' }, 'ai-cli-task'],
  ['ours as the choice', '2.1.196', MOONVIEW, { LOOPWATCH_LOOP: 'loopwatch' }, 'loopwatch'],
  ['a command of the user', '2.1.196', MOONVIEW, { LOOPWATCH_AUTO_COMMAND: 'mine' }, 'loopwatch'],
])('DR12 with %s the loop that runs is chosen', async (_, version, files, more, loop) => {
  using place = home(files);
  const bin = join(place.path, 'bin');
  mkdirSync(bin);
  const client = join(bin, 'claude');
  writeFileSync(client, `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
  const environment = { ...place.environment, PATH: bin, ...more };
  const config = readConfig({ ...environment, LOOPWATCH_ROOTS: place.path });
  const chosen = await withLoop(config, new ProgramVersions(environment), environment);
  expect(chosen.loop).toBe(loop);
  const own = 'LOOPWATCH_AUTO_COMMAND' in more;
  expect(chosen.autoCommand).toBe(own ? 'mine' : startTemplate(chosen.loop));
});

it('DR8 a loop that runs because ours cannot is named with that reason', () => {
  using place = home(MOONVIEW);
  const { ok, detail } = checkLoop(place.environment, { isChosen: false });
  expect(ok).toBe(true);
  expect(detail).toContain('loop moonview, because this agent cannot load the loop of Loopwatch');
});

it('DR8 a start command of the user is named', () => {
  using place = home();
  const template = '{claude} "/mine {taskDir}"';
  expect(checkLoop(place.environment, { template })).toMatchObject({
    ok: true,
    detail: `your own start command, set by LOOPWATCH_AUTO_COMMAND: ${template}`,
  });
});

it.each([
  ['nothing', {}, {}, false],
  ['a key', {}, { ANTHROPIC_API_KEY: 'sk-secret' }, true],
  ['an empty key', {}, { ANTHROPIC_API_KEY: '' }, false],
  ['credentials', { '.claude/.credentials.json': '{"secret":1}' }, {}, true],
  ['an account', { '.claude.json': '{"oauthAccount":{"emailAddress":"secret"}}' }, {}, true],
  ['no account', { '.claude.json': '{"hasCompletedOnboarding":true}' }, {}, false],
  ['half a file', { '.claude.json': '{"oauthAccount":{' }, {}, false],
])('DR4 with %s the login is reported without its secrets', (_, files, more, ok) => {
  using place = home(files);
  const check = loginCheck({ ...place.environment, ...more });
  expect(check.ok).toBe(ok);
  expect(JSON.stringify(check)).not.toContain('secret');
});

it('DR5 less than 500 MB is too little', () => {
  const MB = 1024 * 1024;
  expect([judgeDisk('/x', 500 * MB).ok, judgeDisk('/x', 500 * MB - 1).ok]).toEqual([true, false]);
  expect(judgeDisk('/x', 77_659 * MB).detail).toBe('75 GB free at /x');
  expect(judgeDisk('/x', 900 * MB).detail).toBe('900 MB free at /x');
});

it('DR6 inotify is judged by the remaining watches and instances', () => {
  const use = { watches: 10, instances: 10, maxWatches: 100, maxInstances: 128 };
  expect(judgeInotify(use).ok).toBe(true);
  expect(judgeInotify({ ...use, watches: 91 })).toMatchObject({
    ok: false,
    fix: expect.stringContaining('max_user_watches=400') as string,
  });
  expect(judgeInotify({ ...use, instances: 120 })).toMatchObject({
    ok: false,
    fix: expect.stringContaining('max_user_instances=512') as string,
  });
  expect(inotifyCheck()?.detail ?? 'none').toMatch(/none|^[\d,]+ of [\d,]+ watches/);
});
