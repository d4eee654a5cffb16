/** The line that a start types into a shell, as the shell and the agent see it. */
import { expect, it } from 'vitest';
import { recordArgv } from '../../support/agents/record-argv.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('LP1 a start types exactly the published line, and the agent gets one argument', async () => {
  await using world = new World();
  const argv = recordArgv(world);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  const [prompt = ''] = await rowsOf(api, 'web');
  await api.startLoop('web', taskDir);
  expect(await argv()).toEqual([`/moonview:auto ${taskDir}`]);
  const rows = (await rowsOf(api, 'web')).filter((row) => row !== '');
  expect(rows).toEqual([`${prompt} claude "/moonview:auto ${taskDir}"`]);
});

it.each([
  'with blanks',
  'ünïcödé',
  '漢字 かな',
  '100% of %s',
  '~tilde~',
  'user@host',
  'a=b:c,d+e',
  '-x',
  '--help',
  '...',
  'x'.repeat(200),
])('LP1 the directory %j reaches the agent byte for byte', async (name) => {
  await using world = new World();
  const argv = recordArgv(world);
  const { api } = await world.start();
  const taskDir = world.taskDir(name);
  await api.openSession('web', world.taskDir('session'));
  const { status } = await api.startLoop('web', taskDir);
  expect({ status, argv: await argv() }).toEqual({
    status: 201,
    argv: [`/moonview:auto ${taskDir}`],
  });
});

it.each(['echo DANGER ', 'echo "DANGER ', 'touch pwned;', "echo 'a' '", 'echo DANGER \\'])(
  'LP1 the half-typed line %j does not become part of the start',
  async (draft) => {
    await using world = new World();
    const argv = recordArgv(world);
    const { api } = await world.start();
    const taskDir = world.taskDir('one');
    await openShell(api, 'web', taskDir);
    await typeInto(api, 'web', draft, false);
    const { status } = await api.startLoop('web', taskDir);
    expect({ status, argv: await argv() }).toEqual({
      status: 201,
      argv: [`/moonview:auto ${taskDir}`],
    });
  },
);

it('LP1 a draft of several lines does not become part of the start', async () => {
  await using world = new World();
  const argv = recordArgv(world);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await typeInto(api, 'web', 'first line\nsecond line', false);
  await api.startLoop('web', taskDir);
  expect(await argv()).toEqual([`/moonview:auto ${taskDir}`]);
});

it('LP1 a line that an earlier Enter left open does not become part of the start', async () => {
  await using world = new World();
  const argv = recordArgv(world);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await typeInto(api, 'web', 'echo "an open quote');
  await until('the shell waits for the rest', async () =>
    (await rowsOf(api, 'web')).some((row) => row.startsWith('>')),
  );
  const { status } = await api.startLoop('web', taskDir);
  expect({ status, argv: status === 201 ? await argv() : [] }).toEqual({
    status: 201,
    argv: [`/moonview:auto ${taskDir}`],
  });
});

/** Past the time limit of a start in these tests. */
const AFTER_LIMIT_MS = 61_000;

it('LP1 the template of the settings is typed unchanged', async () => {
  await using world = new World({
    LOOPWATCH_AUTO_COMMAND: '{claude} {flags} --verbose "/loop {taskDir}" $&',
  });
  const argv = recordArgv(world);
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  const taskDir = world.taskDir('one $1');
  await openShell(api, 'web', world.taskDir('session'));
  expect((await api.startLoop('web', taskDir)).status).toBe(400);
  const plain = world.taskDir('two');
  const started = api.startLoop('web', plain);
  const argument = `/loop ${plain}`;
  expect((await argv()).slice(0, 2)).toEqual(['--verbose', argument]);
  // The agent runs in the background, so its start never succeeds.
  clock.skip(AFTER_LIMIT_MS);
  expect((await started).status).toBe(502);
});
