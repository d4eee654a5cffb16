/** `loopwatch session input` on a session, as a script uses it. */
import { expect, it } from 'vitest';
import { holdInput } from '../../support/terminals/hold-input.ts';
import { openShell, rowsOf } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('CL9 input types into a session, and names one that does not exist', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await openShell(api, 'web', world.taskDir('one'));
  const typed = await world.cli('input', 'web', 'echo $((6 * 7))');
  expect(typed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^input \d+: /) as string });
  await until('the answer', async () => (await rowsOf(api, 'web')).includes('42'));
  expect(await world.cli('input', 'nobody', 'x')).toMatchObject({ code: 4, stdout: '' });
});

it('CL9 input lists waiting input and cancels it, once', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const { session, id } = await holdInput(world, api);
  const listed = async () => {
    const { stdout } = await world.cli('input', session, '--list', '--json');
    const inputs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sent);
    return inputs.find((input) => input.id === id);
  };
  expect(await listed()).toMatchObject({ delivery: 'held' });
  const cancel = ['input', session, '--cancel', String(id)];
  expect(await world.cli(...cancel)).toMatchObject({ code: 0 });
  expect(await listed()).toMatchObject({ delivery: 'failed', reason: 'cancelled' });
  expect((await world.cli(...cancel)).code).not.toBe(0);
});

it('CL9 input ends with 1 where the text was not delivered', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await openShell(api, 'web', world.taskDir('one'));
  await world.cli('input', 'web', 'cat');
  await until('cat in front', async () => {
    const long = await world.cli('input', 'web', 'x'.repeat(5_000));
    return long.code === 1 && long.stderr.includes('not delivered (the foreground program would');
  });
});

it('CL19 input types nothing for an empty or blank text; only --enter presses Enter alone', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await openShell(api, 'web', world.taskDir('one'));
  const typed = async () =>
    ((await api.get('/api/sessions/web/inputs')).body as { inputs: { text: string }[] }).inputs;
  // Standard input is empty in all of these.
  for (const words of [[], ['-'], [''], ['  '], ['\n'], ['', '--no-submit'], ['x', '--enter']]) {
    const { code, stdout, stderr } = await world.cli('input', 'web', ...words);
    expect([words, code, stdout]).toEqual([words, 2, '']);
    expect(stderr).toContain('--enter');
  }
  expect(await typed()).toEqual([]);
  expect((await world.cli('input', 'web', '  ', '--no-submit')).code).toBe(0);
  expect((await world.cli('input', 'web', '--enter')).code).toBe(0);
  expect((await typed()).map(({ text }) => text).sort()).toEqual(['', '  ']);
});

interface Sent {
  id: number;
  delivery: string;
  reason: string | null;
}
