/** Tasks whose turns bring nothing new: a real daemon, real git, the stand-in as the agent. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

const TWO_TURNS = { LOOPWATCH_TASK_NO_PROGRESS_TURNS: '2' };
/** Different words each time: only what is done may count. */
const WORDS = ['one', 'two', 'three', 'four', 'five'].map((word, index) => {
  return `turn ${index + 1} say I look at part ${word} of the code.`;
});
const DONE = 'turn 6 say The implementation is complete.';

it('TK60, TK24 a task without progress pauses for a person, and what they say continues it', async () => {
  await using world = new World(TWO_TURNS);
  const tasks = new TaskHome(world, (await world.start()).api);
  await tasks.run('greet', [...WORDS, 'turn 4 say The implementation is complete.']);
  const task = await tasks.until('greet', 'PAUSED');
  expect(task).toMatchObject({ reason: 'no_progress', iterations: 3, waiting_for_input: true });
  const { body } = await tasks.api.get('/api/attention');
  expect(body['items']).toMatchObject([
    { task: 'greet', reason: 'no_progress', title: 'The task makes no progress' },
  ]);
  await tasks.say('greet', 'Look at the tests instead.');
  await tasks.until('greet', 'COMPLETED');
  expect((await tasks.api.get('/api/attention')).body['items']).toEqual([]);
});

it('TK60 a file that is written and a call that was not made before are progress', async () => {
  await using world = new World(TWO_TURNS);
  const tasks = new TaskHome(world, (await world.start()).api);
  const read = (file: string) => `tool Read {"file_path":"${file}"}`;
  const news = [`turn 2 ${read('a.ts')}`, 'turn 3 write new.txt Hello', `turn 5 ${read('b.ts')}`];
  await tasks.run('greet', [...news, ...WORDS, DONE]);
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 6 });
});

it('TK62 a daemon that starts measures a turn again', async () => {
  await using world = new World(TWO_TURNS);
  const first = await world.start();
  const tasks = new TaskHome(world, first.api);
  await tasks.run('greet', WORDS);
  await tasks.until('greet', 'PAUSED');
  await first.daemon.close();
  const database = new Sqlite(join(world.home, 'loopwatch.db'));
  const changed = `json_set(state, '$.stage', 'measuring', '$.status', 'RUNNING', '$.reason', null,
    '$.wait', null, '$.progress.unchanged', 1)`;
  database.exec(`UPDATE tasks SET status = 'RUNNING', state = ${changed}`);
  database.close();
  tasks.api = (await world.start()).api;
  const task = await tasks.until('greet', 'PAUSED');
  expect(task).toMatchObject({ reason: 'no_progress', iterations: 3 });
  expect(task.wait?.evidence[0]?.lines.join()).toContain('last 2 turns');
});
