/** The stand-in's dialogs, limits and hooks, in a session as a supervisor sees them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SIGNAL_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { pressKeys } from '../../support/browser/press-keys.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const REPORT = {
  do: 'step',
  signal: { step: 'report', result: '(generated)', next: '(stop)' },
};
const ASK = { do: 'ask', command: 'npm install left-pad', description: 'Install a package' };

/** Every hook event of the stand-in. */
const EVENTS = [
  'SessionStart',
  'UserPromptExpansion',
  'PermissionRequest',
  'Stop',
  'StopFailure',
  'Notification',
  'SessionEnd',
];

interface Heard {
  hook_event_name: string;
  tool_name?: string;
  tool_input?: object;
}

/** Runs the stand-in on a scenario with hooks of its own; `decision` is the answer to its request. */
async function start(world: World, steps: object[], decision: object | null = null) {
  const { api } = await world.start();
  const taskDir = world.taskDir('one', { status_record: true, after: 'exit', steps });
  const heardDir = join(world.root, 'heard');
  mkdirSync(heardDir);
  const keep = `cat > '${heardDir}'/$$; mv '${heardDir}'/$$ '${heardDir}'/$$.json`;
  const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
  const decide = decision === null ? keep : `${keep}; echo '${JSON.stringify(output)}'`;
  const hooks = Object.fromEntries(
    EVENTS.map((event) => {
      const command = event === 'PermissionRequest' ? decide : keep;
      return [event, [{ matcher: '', hooks: [{ type: 'command', command }] }]];
    }),
  );
  const settings = join(world.root, 'settings.json');
  const status = join(world.root, 'status.json');
  const statusLine = { type: 'command', command: `cat > '${status}'` };
  writeFileSync(settings, JSON.stringify({ hooks, statusLine }));
  await openShell(api, 'web', taskDir);
  await typeInto(api, 'web', `claude --settings ${settings} "/moonview:auto ${taskDir}"`);
  const heard = (): Heard[] =>
    readdirSync(heardDir)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(heardDir, name), 'utf8')) as Heard);
  const signal = join(taskDir, SIGNAL_FILE);
  const reported = async () => until('the report', () => existsSync(signal));
  const statusLineHad = () => JSON.parse(readFileSync(status, 'utf8')) as object;
  return { api, heard, reported, statusLineHad };
}

function record(world: World): Record<string, unknown> {
  const directory = join(world.root, 'claude', 'sessions');
  const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, unknown>;
}

function names(heard: Heard[]): string[] {
  return heard.map(({ hook_event_name: event }) => event).sort();
}

async function shows(api: ApiClient, text: string): Promise<string[]> {
  return until(text, async () => {
    const rows = await rowsOf(api, 'web');
    return rows.some((row) => row.includes(text)) ? rows : null;
  });
}

it('SI3 it reports its start, its prompt, the end of its turn and its exit', async () => {
  await using world = new World();
  const { heard } = await start(world, [REPORT]);
  await until('all hooks have arrived', () => heard().length >= 4);
  expect(names(heard())).toEqual(['SessionEnd', 'SessionStart', 'Stop', 'UserPromptExpansion']);
});

it('SI4 it asks in a dialog in place of its box, and a key answers', async () => {
  await using world = new World();
  const { api, heard, reported } = await start(world, [ASK, REPORT]);
  const rows = (await shows(api, 'Do you want to proceed?')).filter((row) => row !== '');
  expect(rows.slice(-5)).toEqual([
    expect.stringMatching(/^╌+$/),
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    ' Esc to cancel',
  ]);
  expect(rows.filter((row) => row.startsWith('❯'))).toHaveLength(1);
  expect(record(world)).toMatchObject({ status: 'waiting', waitingFor: 'permission prompt' });
  const asked = await until('the hook arrives', () =>
    heard().find(({ hook_event_name: event }) => event === 'PermissionRequest'),
  );
  expect(asked).toMatchObject({
    tool_name: 'Bash',
    tool_input: { command: 'npm install left-pad', description: 'Install a package' },
  });
  await pressKeys(world, 'x');
  expect(record(world)).toMatchObject({ status: 'waiting' });
  await pressKeys(world, 'y1');
  await reported();
});

it('SI4 a "no" at the keyboard ends the turn', async () => {
  await using world = new World();
  const { api } = await start(world, [ASK, REPORT]);
  await shows(api, 'Do you want to proceed?');
  await pressKeys(world, '2');
  await shows(api, 'Interrupted');
});

it.each([
  ['Allowed', { behavior: 'allow' }],
  ['Denied', { behavior: 'deny', message: 'no' }],
])('SI4 its hook answers: %s', async (word, decision) => {
  await using world = new World();
  const { api, reported } = await start(world, [ASK, REPORT], decision);
  await shows(api, `${word} by PermissionRequest hook`);
  await reported();
});

it('SI8 after its time it answers yes on its own, and continues', async () => {
  await using world = new World();
  const { api, reported } = await start(world, [{ ...ASK, default_ms: 600 }, REPORT]);
  await shows(api, 'Do you want to proceed?');
  await reported();
  await shows(api, 'Done');
});

it('SI5, SI7 at a usage limit it says until when, is idle by its record, and continues on its own', async () => {
  await using world = new World();
  const steps = [{ do: 'limit', ms: 5_000 }, REPORT];
  const { api, heard, reported, statusLineHad } = await start(world, steps);
  const rows = await shows(api, 'Continuing automatically at');
  expect(rows.join('\n')).toMatch(
    /⎿ {2}You've hit your 5-hour limit · resets \d+:\d\d[ap]m \(UTC\)/,
  );
  expect(rows.join('\n')).not.toContain('esc to interrupt');
  const resets_at = expect.any(Number) as number;
  expect(statusLineHad()).toMatchObject({ rate_limits: { five_hour: { resets_at } } });
  await until('idle by its record', () => record(world)['status'] === 'idle');
  await reported();
  await until('all hooks have arrived', () => heard().length >= 6);
  expect(names(heard())).toEqual(expect.arrayContaining(['StopFailure', 'Notification', 'Stop']));
});
