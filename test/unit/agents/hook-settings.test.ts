import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseClientVersion } from '../../../server/agents/client-version.ts';
import { hookSettings } from '../../../server/agents/hooks/hook-settings.ts';
import { permissionSettings } from '../../../server/agents/launch/launch-permissions.ts';
import { ownPermissionMode } from '../../../server/agents/launch/user-settings.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const PATHS = {
  node: '/usr/bin/node',
  relay: '/opt/it is/relay.js',
  runFile: '/home/a b/"$x"/hook.json',
  statusLineFile: '/home/a b/status-line.json',
};
const OLD = [
  'Notification',
  'PreCompact',
  'SessionEnd',
  'SessionStart',
  'Stop',
  'SubagentStop',
  'UserPromptSubmit',
];
const SECOND = [...OLD, 'PermissionRequest'];
const NEWEST = [...SECOND, 'PostCompact', 'StopFailure', 'SubagentStart', 'UserPromptExpansion'];

function settingsOf(version: string, paths = PATHS) {
  return hookSettings(parseClientVersion(`${version} (Claude Code)`), paths);
}

it.each([
  ['0.2.9', null],
  ['1.0.127', null],
  ['1.0.128', OLD],
  ['2.0.75', OLD],
  ['2.0.76', SECOND],
  ['2.1.197', SECOND],
  ['2.1.328', SECOND],
  ['2.1.329', NEWEST],
  ['2.2.0', NEWEST],
  ['3.0.0', NEWEST],
])('HK2 version %s gets only the events it is known to accept', (version, events) => {
  const settings = settingsOf(version);
  expect(settings && Object.keys(settings.hooks).sort()).toEqual(events && [...events].sort());
});

it('HK2 an unknown client gets no settings', () => {
  expect(hookSettings(null, PATHS)).toBeNull();
});

it('HK3 every hook is a command that cannot fail, short except the one that asks a person', () => {
  const hooks = Object.entries(settingsOf('2.1.329')?.hooks ?? {});
  const command = `'/usr/bin/node' '/opt/it is/relay.js' '/home/a b/"$x"/hook.json' || true`;
  for (const [event, entries] of hooks) {
    const asks = event === 'PermissionRequest';
    const limits = asks ? { timeout: 86_400 } : { timeout: 5, async: true };
    expect([event, entries]).toEqual([
      event,
      [{ matcher: '', hooks: [{ type: 'command', command, ...limits }] }],
    ]);
  }
});

it('HK22 a version not known to run hooks in parallel gets only sequential ones', () => {
  const hooks = Object.values(settingsOf('2.1.328')?.hooks ?? {}).flat();
  expect(hooks.flatMap((entry) => entry.hooks).filter((hook) => 'async' in hook)).toEqual([]);
});

it('HK4 the status line prints nothing, and is left alone where the user has one', () => {
  expect(settingsOf('2.1.329')?.statusLine?.command).toBe(
    "{ umask 077; cat > '/home/a b/status-line.json.tmp' && " +
      "mv '/home/a b/status-line.json.tmp' '/home/a b/status-line.json'; } 2>/dev/null || true",
  );
  const version = parseClientVersion('2.1.329 (Claude Code)');
  const own = hookSettings(version, { ...PATHS, statusLineFile: null });
  expect(own !== null && 'statusLine' in own).toBe(false);
});

it('HK20 a client that has a list of sessions is started without it', () => {
  for (const version of ['2.1.197', '2.1.330']) {
    expect(settingsOf(version)).toMatchObject({
      disableAgentView: true,
      env: { CLAUDE_CODE_DISABLE_AGENT_VIEW: '1' },
    });
  }
  expect(Object.keys(settingsOf('2.0.76') ?? {})).toEqual(['env', 'statusLine', 'hooks']);
});

it('HK21 the user’s permission mode is passed to the loop, unless the project has its own', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'modes-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const environment = { CLAUDE_CONFIG_DIR: join(root, 'user') };
  const taskDir = join(root, 'project', 'tasks', 'one');
  const write = (directory: string, file: string, settings: object) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, file), JSON.stringify(settings));
  };
  const mode = () => ownPermissionMode(environment, taskDir);
  expect(mode()).toBeNull();
  write(environment.CLAUDE_CONFIG_DIR, 'settings.json', { permissions: { defaultMode: 'plan' } });
  expect(mode()).toBe('plan');
  expect(permissionSettings(null, mode(), [])).toEqual({ defaultMode: 'plan' });
  write(join(root, 'project', '.claude'), 'settings.json', { permissions: { allow: ['Read'] } });
  expect(mode()).toBe('plan');
  const local = { permissions: { defaultMode: 'acceptEdits' } };
  write(join(root, 'project', '.claude'), 'settings.local.json', local);
  expect(mode()).toBeNull();
});

it.each(["/home/o'neill/x", '/home/new\nline', '/home/esc\u001b[2J', '/home/nul\0'])(
  'HK23 a path of %j gets no settings at all',
  (path) => {
    const chosen = Object.keys(PATHS).map((name) =>
      settingsOf('2.1.329', { ...PATHS, [name]: path }),
    );
    expect(chosen).toEqual([null, null, null, null]);
  },
);
