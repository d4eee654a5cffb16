import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientCheck, commandCheck, loginCheck } from '../../server/preflight/agent-checks.ts';
import { inotifyCheck, judgeDisk, judgeInotify } from '../../server/preflight/machine-checks.ts';
import { TEST_ROOT } from '../support/test-root.ts';

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
  ['2.1.400 (Claude Code)', true, 'newer than the newest tested'],
  ['0.2.1 (Claude Code)', true, 'too old for hooks'],
  ['codex-cli 0.169.0', true, 'unknown client'],
  [null, false, 'does not report its version'],
])('DR2 a client with the version %j', (answer, ok, words) => {
  const check = clientCheck(answer);
  expect([check.ok, check.detail]).toEqual([ok, expect.stringContaining(words)]);
});

it.each([
  '.claude/commands/moonview/auto.md',
  '.claude/plugins/cache/market/moonview/0.0.9/commands/auto.md',
  '.claude/plugins/marketplaces/m/plugins/moonview/skills/auto/SKILL.md',
])('DR3 the loop command is found in %s', (file) => {
  using place = home({ [file]: 'x' });
  expect(commandCheck(place.environment, [])).toMatchObject({
    ok: true,
    detail: join(place.path, file),
  });
});

it('DR3 the loop command of a project counts, one of another plugin does not', () => {
  using project = home({ '.claude/commands/moonview/auto.md': 'x' });
  using user = home({ '.claude/plugins/other/commands/auto.md': 'x' });
  expect(commandCheck(user.environment, [project.path]).ok).toBe(true);
  const missing = commandCheck(user.environment, []);
  expect(missing.ok).toBe(false);
  expect(missing.detail).toContain(join(user.path, '.claude/plugins'));
});

it.each([
  ['nothing', {}, {}, false],
  ['a key', {}, { ANTHROPIC_API_KEY: 'sk-secret' }, true],
  ['an empty key', {}, { ANTHROPIC_API_KEY: '' }, false],
  ['credentials', { '.claude/.credentials.json': '{"secret":1}' }, {}, true],
  ['an account', { '.claude.json': '{"oauthAccount":{"emailAddress":"secret"}}' }, {}, true],
  ['no account', { '.claude.json': '{"hasCompletedOnboarding":true}' }, {}, false],
  ['half a file', { '.claude.json': '{"oauthAccount":{' }, {}, false],
])('DR4 with %s the login is reported, and no secret of it', (_, files, more, ok) => {
  using place = home(files);
  const check = loginCheck({ ...place.environment, ...more });
  expect(check.ok).toBe(ok);
  expect(JSON.stringify(check)).not.toContain('secret');
});

it('DR5 less than 500 MB is too little', () => {
  const MB = 1024 * 1024;
  expect([judgeDisk('/x', 500 * MB).ok, judgeDisk('/x', 500 * MB - 1).ok]).toEqual([true, false]);
});

it('DR6 inotify is judged by what is left of watches and instances', () => {
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
  expect(inotifyCheck()?.detail ?? 'none').toMatch(/none|^inotify: \d+ of \d+ watches/);
});
