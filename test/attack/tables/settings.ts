/** Invalid settings: the start names the setting and leaves nothing behind. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Attack, Table, Target } from '../attack.ts';

type Settings = Record<string, string>;

const LOOSE_NUMBERS = ['x', '-1', '0', '1.5', '0x10', '1e3', ' 5', '5ms', '٣', '9'.repeat(16)];
const NUMBERS = [
  'LOOPWATCH_HEARTBEAT_MS',
  'LOOPWATCH_STALL_CAPTURES',
  'LOOPWATCH_TASK_SLOTS',
  'LOOPWATCH_LOG_FILES',
];

/** The setting, the mistake, and its value; `ROOT` is replaced by a directory of the test. */
const BAD: [name: string, what: string, value: string][] = [
  ...NUMBERS.flatMap((name) =>
    LOOSE_NUMBERS.map((value): [string, string, string] => [name, JSON.stringify(value), value]),
  ),
  ['PORT', 'a blank', ' '],
  ['PORT', 'a port beyond the last', '65536'],
  ['PORT', 'hexadecimal', '0x1000'],
  ['PORT', 'a negative port', '-1'],
  ['LOOPWATCH_SIGNAL_POLL_MS', 'more than a day', '86400001'],
  ['LOOPWATCH_IDLE_CONFIRM_MS', 'NaN', 'NaN'],
  ['LOOPWATCH_STOP_GRACE_MS', 'Infinity', 'Infinity'],
  ['LOOPWATCH_KILL_GRACE_MS', 'a word', 'soon'],
  ['LOOPWATCH_START_TIMEOUT_MS', 'nothing at all', '0'],
  ['LOOPWATCH_TASK_TEST_TIMEOUT_MS', 'a unit', '5m'],
  ['LOOPWATCH_RESTART_DELAYS_MS', 'a word in a list', '1,x,3'],
  ['LOOPWATCH_RESTART_DELAYS_MS', 'semicolons', '1;2'],
  ['LOOPWATCH_QUOTA_DELAYS_MS', 'a negative pause', '5,-5'],
  ['LOOPWATCH_ERROR_DELAYS_MS', 'hexadecimal', '0x5'],
  ['LOOPWATCH_RETENTION_DAYS', 'no days', '0'],
  ['LOOPWATCH_RETENTION_DAYS', 'an exponent', '1e2'],
  ['LOOPWATCH_RETENTION_EVENTS', 'fewer events than are kept', '99'],
  ['LOOPWATCH_SCREEN_HISTORY', 'too many pictures', '10001'],
  ['LOOPWATCH_LOG_BYTES', 'a size with a unit', '10M'],
  ['LOOPWATCH_TERMINAL', 'another host', 'screen'],
  ['LOOPWATCH_TERMINAL', 'capitals', 'TMUX'],
  ['LOOPWATCH_TRANSPORT', 'another engine', 'http'],
  ['LOOPWATCH_RECOVERY', 'another mode', 'always'],
  ['LOOPWATCH_TASK_INTERRUPTED', 'another word', 'kill'],
  ['LOOPWATCH_TASK_PERMISSIONS', 'another mode', 'root'],
  ['LOOPWATCH_BEHIND_PROXY', 'no truth value', 'perhaps'],
  ['LOOPWATCH_HOSTS', 'an address', 'https://a.example'],
  ['LOOPWATCH_HOSTS', 'a path', 'a.example/loopwatch'],
  ['LOOPWATCH_HOSTS', 'a pattern', '*.example'],
  ['LOOPWATCH_HOSTS', 'a user', 'user@a.example'],
  ['LOOPWATCH_HOSTS', 'a line break', 'a.example\nb.example'],
  ['LOOPWATCH_HOME', 'a relative path', 'home'],
  ['LOOPWATCH_HOME', 'a tilde', '~/home'],
  ['XDG_RUNTIME_DIR', 'a relative path', 'run'],
  ['LOOPWATCH_DEFAULT_PROJECT', 'a relative path', 'tasks/web'],
  ['LOOPWATCH_ROOTS', 'a relative path', 'tasks'],
  ['LOOPWATCH_ROOTS', 'a tilde', '~'],
  ['LOOPWATCH_ROOTS', 'one good root and a relative one', 'ROOT/tasks:..'],
  ['LOOPWATCH_ROOTS', 'no root', ':'],
  ['LOOPWATCH_TOKEN', 'a short one', 'c4n4ry'],
  ['LOOPWATCH_TOKEN', 'one with a blank', 'c4n4ry c4n4ry c4n4ry'],
  ['LOOPWATCH_TOKEN', 'one with a line break', 'c4n4ry-c4n4ry-c4n4ry\n'],
  ['LOOPWATCH_TOKEN', 'one beyond ASCII', 'c4n4ry-c4n4ry-c4n4rü'],
  ['LOOPWATCH_TOKEN', 'one that fills a head', 'c4n4ry'.repeat(3_000)],
  ['LOOPWATCH_CLAUDE', 'a line break', 'claude\ntouch pwned'],
  ['LOOPWATCH_CLAUDE', 'an escape', 'claude\u001b[201~'],
  ['LOOPWATCH_AUTO_COMMAND', 'two lines', '{claude} "{taskDir}"\rtouch pwned'],
  ['LOOPWATCH_LOOP', 'an unknown loop', 'moonview "; touch pwned; "'],
  ['LOOPWATCH_PASS_ENV', 'the token', 'LANG,LOOPWATCH_TOKEN'],
  ['LOOPWATCH_PASS_ENV', 'an assignment', 'A=B'],
  ['LOOPWATCH_PASS_ENV', 'a blank', 'A B'],
];

/** Starts a daemon in a directory of its own, and ends it should it start. */
async function start({ world }: Target, name: string, value: string) {
  const root = join(world.root, `s${readdirSync(world.root).length}`);
  mkdirSync(join(root, 'tasks'), { recursive: true });
  writeFileSync(join(root, 'file'), '');
  const own: Settings = {
    LOOPWATCH_HOME: join(root, 'home'),
    LOOPWATCH_ROOTS: join(root, 'tasks'),
  };
  const child = world.run(
    ['start'],
    Object.assign(own, { [name]: value.replaceAll('ROOT', root) }),
  );
  let stdout = '';
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  child.stdout?.on('data', (data: Buffer) => {
    stdout += data.toString();
    // It has started, which must not happen.
    if (stdout.includes('\n')) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const [line = '', ...more] = stderr.trimEnd().split('\n');
  return {
    code,
    stdout: stdout.replace(/ on \S+/, ''),
    names: line.startsWith(`loopwatch: ${name}`) || line.startsWith(name),
    lines: more.length + 1,
    isLeaked: /c4n4ry|pwned\n/.test(stderr),
    made: existsSync(join(root, 'home')),
  };
}

export const SETTING_TABLE: Table<Target> = {
  title: 'settings',
  twin: async (target) => start(target, 'LOOPWATCH_HEARTBEAT_MS', '60000'),
  passes: {
    code: null,
    stdout: 'loopwatch listening\n',
    names: false,
    lines: expect.any(Number) as unknown,
    isLeaked: false,
    made: true,
  },
  rows: BAD.map(([name, what, value]): Attack<Target> => ({
    rule: 'CL20',
    name: `${name} of ${what} starts nothing and is named`,
    attack: async (target) => start(target, name, value),
    holds: { code: 78, stdout: '', names: true, lines: 1, isLeaked: false, made: false },
  })),
};
