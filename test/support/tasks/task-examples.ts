/** One task in each state that the calls of the contract need. */
import type { Task } from '../../../shared/schema/tasks/task.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import type { ExampleTasks } from '../house/example-values.ts';
import { git } from '../git/git-repository.ts';
import { TaskHome } from './task-home.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

const CLAIM = ['write hello.txt Hello', 'say The implementation is complete.'];

/** Creates them in their own repository; returns what `exampleCalls` takes. */
export async function taskExamples(world: World, api: ApiClient): Promise<ExampleTasks> {
  const home = new TaskHome(world, api, 'examples');
  const pending = await home.create('pending');
  for (const name of ['removed', 'emptied']) await home.create(name);
  await home.run('working', ['hang']);
  await home.run('stopped', ['hang']);
  await home.run('exhausted', CLAIM.slice(0, 1), { max_iterations: 1 });
  await home.run('failed', CLAIM, { test_commands: ['false'] });
  await atWork(home, 'working');
  await atWork(home, 'stopped');
  await home.post('stopped', 'stop');
  await home.until('exhausted', 'EXHAUSTED');
  await home.until('failed', 'FAILED');
  const prompt = await api.send('POST', '/api/v1/prompts', { title: 'Hi', content: 'Say hi.' });
  const project = await api.send('POST', '/api/v1/sessions', { project_path: home.repository });
  const said = await home.say('removed', 'Use German');
  return {
    repository: home.repository,
    branch: git(home.repository, 'symbolic-ref', '--short', 'HEAD'),
    pending: 'pending',
    pendingId: pending.id,
    working: 'working',
    stopped: 'stopped',
    exhausted: 'exhausted',
    failed: 'failed',
    removed: 'removed',
    emptied: 'emptied',
    waiting: { task: 'removed', input: String(said.body['id']) },
    interaction: await heard(home),
    prompt: String(prompt.body['id']),
    project: String(project.body['id']),
  };
}

/** Resolves once the agent of a task has reported; returns the task. */
export async function atWork(home: TaskHome, name: string): Promise<Task> {
  return until(`${name} is at work`, async () => {
    const task = await home.get(name);
    return task.claude_session_id !== null && task.process_running ? task : null;
  });
}

/** Lets a task receive a person's input and end; returns the id of the input. */
async function heard(home: TaskHome): Promise<number> {
  const steps = ['say One step is done.'];
  await home.create('heard', { description: 'Greet by name.', max_iterations: 1 });
  await home.say('heard', `Use English\nstand-in: ${steps[0] ?? ''}`);
  await home.post('heard', 'start');
  await home.until('heard', 'EXHAUSTED');
  const { conversation } = await home.conversation('heard');
  const own = conversation.find(({ type }) => type === 'user_request');
  return Number(own?.id);
}
