/** Tasks from their description to their end: a real daemon, real git, the stand-in as the agent. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const DONE = 'say The implementation is complete.';

async function home(world: World): Promise<TaskHome> {
  const { api } = await world.start();
  return new TaskHome(world, api);
}

it('TK1 a task works in its own worktree and branch until it claims to be done', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['write hello.txt Hello', 'commit Greet', DONE]);
  const task = await tasks.until('greet', 'COMPLETED');
  expect(task).toMatchObject({ reason: 'claimed_done', iterations: 1, branch_name: 'task/greet' });
  expect(task.completion).toMatchObject({ claimed_by: 'agent', proof: 'unproven' });
  const place = task.worktree_path ?? '';
  expect(readFileSync(join(place, 'hello.txt'), 'utf8').trim()).toBe('Hello');
  expect(existsSync(join(tasks.repository, 'hello.txt'))).toBe(false);
  expect(git(tasks.repository, 'log', '--format=%s', 'task/greet')).toBe('Greet\nBegin');
  expect(git(tasks.repository, 'status', '--porcelain')).toBe('');
});

it('TK2 no message to the agent has an absolute path', async () => {
  await using world = new World();
  const tasks = await home(world);
  const other = gitRepository(world.taskDir('library'));
  await tasks.run('greet', [DONE], {
    project_context: `The sources lie in ${tasks.repository}/src.`,
    projects: [{ path: other, access: 'read', context: `See ${other}/docs.` }],
  });
  await tasks.until('greet', 'COMPLETED');
  const [call] = standInCalls(world);
  expect(call?.message).toContain('Greet by name.');
  expect(call?.message).not.toContain(world.root);
  expect(call?.argv).toContain(other);
});

it('TK3 people’s inputs are sent before anything automatic, in order and once', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['wait 400', 'say More to do.', 'turn 4 say The task is complete.']);
  await until('its first turn', () => standInCalls(world).length === 1);
  await Promise.all([tasks.say('greet', 'First words'), tasks.say('greet', 'Second words')]);
  await tasks.until('greet', 'COMPLETED');
  const messages = standInCalls(world).map(({ message }) => message);
  expect(messages.slice(1, 3).sort()).toEqual(['First words', 'Second words']);
  expect(messages.filter((message) => message.includes('words'))).toHaveLength(2);
  const { queue_preview, pending_inputs } = await tasks.inputs('greet');
  expect([queue_preview.map(({ state }) => state), pending_inputs]).toEqual([
    ['delivered', 'delivered'],
    0,
  ]);
  const { conversation } = await tasks.conversation('greet');
  const said = conversation.filter(({ type }) => type === 'user_request');
  expect(said).toMatchObject([{ author: 'admin' }, { author: 'admin' }]);
});

it('TK3 input from before the start comes first, with the description below it', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script(DONE) });
  await tasks.say('greet', 'Use German');
  await tasks.post('greet', 'start');
  await tasks.until('greet', 'COMPLETED');
  const [call, ...more] = standInCalls(world);
  expect(call?.message).toMatch(/^Use German\n\nGreet by name\./);
  expect(more).toEqual([]);
});

it('TK3 input set in the older way is sent once, and is shown in the task', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script('say More to do.', 'turn 2 ' + DONE) });
  const path = '/api/v1/tasks/by-name/greet';
  const { body } = await tasks.api.send('PUT', path, { custom_human_input: 'In English' });
  expect(body).toMatchObject({ custom_human_input: 'In English', user_input_pending: true });
  await tasks.post('greet', 'start');
  await tasks.until('greet', 'COMPLETED');
  const calls = standInCalls(world).filter(({ message }) => message.includes('In English'));
  expect(calls).toHaveLength(1);
});

it('TK4 an input that interrupts ends the current turn', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['hang', 'turn 2 say The task is complete.']);
  await until('its turn', async () => (await tasks.get('greet')).claude_session_id !== null);
  const { body } = await tasks.say('greet', 'Stop that', { interrupt: true });
  expect(body).toMatchObject({ processing_type: 'REAL_TIME_INTERRUPT' });
  const task = await tasks.until('greet', 'COMPLETED');
  expect(standInCalls(world).map(({ message }) => message)[1]).toBe('Stop that');
  expect(standInCalls(world)[1]?.argv).toContain(task.claude_session_id);
});

it('TK5 a model judges the criteria: more than 0.7 is met, anything else is not', async () => {
  await using world = new World();
  const tasks = await home(world);
  const verdict = (confidence: unknown) =>
    `It greets.\nstand-in: verdict ${JSON.stringify({ is_complete: true, confidence, reasoning: 'seen' })}`;
  const steps = ['say Some work.'];
  const more = { max_iterations: 1 };
  await tasks.run('sure', steps, { ...more, end_criteria: verdict(0.71) });
  await tasks.run('unsure', steps, { ...more, end_criteria: verdict(0.7) });
  const unreadable = { ...more, end_criteria: verdict('0.9') };
  await tasks.run('unread', steps, unreadable);
  await tasks.run('claimed', [DONE], unreadable);
  expect(await tasks.until('sure', 'COMPLETED')).toMatchObject({
    reason: 'criteria_met',
    outcome: 'FINISHED',
    completion: { claimed_by: 'criteria', confidence: 0.71 },
  });
  expect(await tasks.until('unsure', 'EXHAUSTED')).toMatchObject({ reason: 'max_iterations' });
  expect((await tasks.until('unread', 'EXHAUSTED')).outcome).toBe(null);
  expect(await tasks.until('claimed', 'COMPLETED')).toMatchObject({ reason: 'claimed_done' });
});

it('TK6, TK22 a limit ends a task until a retry adds to what it used', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['say More to do.', 'turn 3 say The task is complete.'], {
    max_iterations: 2,
  });
  await tasks.until('greet', 'EXHAUSTED');
  const { body } = await tasks.post('greet', 'retry?additional_iterations=5');
  expect(body['new_limits']).toMatchObject({ max_iterations: 7, max_tokens: null });
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 3 });
  await tasks.run('dear', ['cost 0.5', 'say More to do.'], { max_cost_usd: 0.4 });
  expect(await tasks.until('dear', 'EXHAUSTED')).toMatchObject({ reason: 'max_cost' });
  await tasks.run('long', ['tokens 900', 'say More to do.'], { max_tokens: 900 });
  expect(await tasks.until('long', 'EXHAUSTED')).toMatchObject({ reason: 'max_tokens' });
});

it('TK7, TK24 a question that only a person can answer pauses the task, and an answer continues it', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', [
    'ask Should I force-push to main and delete the old branch?',
    'turn 2 say The task is complete.',
  ]);
  const task = await tasks.until('greet', 'PAUSED');
  expect(task).toMatchObject({ waiting_for_input: true, reason: 'permission' });
  expect(task.wait?.evidence[0]?.lines.join()).toContain('force-push');
  const { body } = await tasks.api.get('/api/attention');
  expect(body['items']).toMatchObject([{ task: 'greet', session: null, reason: 'permission' }]);
  const answer = await tasks.say('greet', 'No');
  expect(answer.body).toMatchObject({ processing_type: 'EXECUTOR_RESTART' });
  await tasks.until('greet', 'COMPLETED');
  expect((await tasks.api.get('/api/attention')).body['items']).toEqual([]);
});

it('TW26, TK8, TK25 a stop ends the agent and keeps the work; a resume continues in the same conversation', async () => {
  await using world = new World();
  const tasks = await home(world);
  const steps = ['write draft.txt half', 'spawn', 'hang', 'turn 2 say The task is complete.'];
  await tasks.run('greet', steps);
  const { worktree_path, claude_session_id } = await until('a draft', async () => {
    const task = await tasks.get('greet');
    return existsSync(join(task.worktree_path ?? '', 'draft.txt')) && task.claude_session_id
      ? task
      : null;
  });
  const { body } = await tasks.post('greet', 'stop');
  expect(body).toMatchObject({ process_killed: true, termination_method: 'SIGTERM' });
  const stopped = await tasks.api.event('task.status');
  expect(stopped).toMatchObject({ seq: body['seq'], data: { task: 'greet', status: 'STOPPED' } });
  expect(await tasks.get('greet')).toMatchObject({ status: 'STOPPED', process_running: false });
  expect(existsSync(join(worktree_path ?? '', 'draft.txt'))).toBe(true);
  const resumed = (await tasks.post('greet', 'resume')).body;
  expect(Number(resumed['seq'])).toBeGreaterThan(stopped.seq);
  await tasks.until('greet', 'COMPLETED');
  expect(standInCalls(world)[1]?.argv.slice(0, 2)).toEqual(['-r', claude_session_id]);
});

it('TK9 after a usage limit the task continues automatically', async () => {
  await using world = new World({ LOOPWATCH_QUOTA_DELAYS_MS: '500' });
  const tasks = await home(world);
  await tasks.run('greet', ['limit 2', 'turn 2 say The task is complete.']);
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 1 });
  // The pause may be over before the task is read.
  const events = await tasks.api.events('&types=task.status,attention.raised');
  const [paused] = events.flatMap(({ type, at, data }) =>
    type === 'task.status' && data.status === 'PAUSED' ? [{ at, ...data }] : [],
  );
  expect(paused).toMatchObject({ before: 'RUNNING', reason: 'quota' });
  expect(paused?.until?.localeCompare(paused.at)).toBe(1);
  expect(events.filter(({ type }) => type === 'attention.raised')).toEqual([]);
});

it('TK10, TK26 exit codes on the host decide, and gates see only the commit', async () => {
  await using world = new World();
  const tasks = await home(world);
  const claim = ['write new.txt x', DONE];
  await tasks.run('good', claim, {
    test_commands: ['test -f new.txt'],
    gates: [{ name: 'committed', command: 'git log -1 && test -f new.txt' }],
  });
  await tasks.run('bad', [DONE], { test_commands: ['echo broken; exit 3'] });
  await tasks.run('gated', ['write untracked.txt x', DONE], {
    gates: [{ name: 'lint', command: 'test -f node_modules/x' }],
  });
  const good = await tasks.until('good', 'COMPLETED');
  expect(good.completion).toMatchObject({ proof: 'proven' });
  expect(good.test_cases).toMatchObject([
    { type: 'regression', status: 'passed', exit_code: 0 },
    { type: 'gate', status: 'passed', name: 'committed' },
  ]);
  expect(git(tasks.repository, 'cat-file', '-t', good.completion?.commit ?? '')).toBe('commit');
  const bad = await tasks.until('bad', 'FAILED');
  expect(bad).toMatchObject({ reason: 'tests_failed', completion: { proof: 'refuted' } });
  expect(bad.test_cases[0]).toMatchObject({ status: 'failed', exit_code: 3, output: 'broken' });
  expect(await tasks.until('gated', 'FAILED')).toMatchObject({ reason: 'gate_failed' });
});

it('TK10 a project that declares its tests is tested with them', async () => {
  await using world = new World();
  const tasks = await home(world);
  const manifest = JSON.stringify({ scripts: { test: 'test -f made.txt' } });
  writeFileSync(join(tasks.repository, 'package.json'), manifest);
  git(tasks.repository, 'add', '.');
  git(tasks.repository, 'commit', '--quiet', '--message', 'Say how it is tested');
  await tasks.run('made', ['write made.txt x', DONE]);
  await tasks.run('forgot', [DONE]);
  const made = await tasks.until('made', 'COMPLETED');
  expect(made.test_cases).toMatchObject([{ command: 'npm test', status: 'passed' }]);
  await tasks.until('forgot', 'FAILED');
});

it('TK3 images go with a person’s input', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script(DONE) });
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const images = [{ base64: pixel, media_type: 'image/png' }];
  await tasks.say('greet', 'Like this', { images });
  await tasks.post('greet', 'start');
  await tasks.until('greet', 'COMPLETED');
  expect(standInCalls(world)[0]?.argv).toContain('--input-format');
  expect((await tasks.inputs('greet')).queue_preview).toMatchObject([
    { state: 'delivered', images: 1 },
  ]);
});

it('TK11 two starts at once are one', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script('wait 300', DONE) });
  const answers = await Promise.all([tasks.post('greet', 'start'), tasks.post('greet', 'start')]);
  // The second one finds it in the queue, or at work already.
  expect(answers[0].status).toBe(200);
  await tasks.until('greet', 'COMPLETED');
  expect(standInCalls(world)).toHaveLength(1);
});

it('TK13, TK23 temporary failures are retried; a missing login pauses the task', async () => {
  await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '1,1' });
  const tasks = await home(world);
  await tasks.run('greet', ['overload', 'turn 2 overload', `turn 3 ${DONE}`]);
  await tasks.until('greet', 'COMPLETED');
  await tasks.run('crash', ['crash 3', 'turn 2 crash 3', 'turn 3 crash 3']);
  const crashed = await tasks.until('crash', 'FAILED');
  expect(crashed).toMatchObject({ reason: 'client_failed' });
  await tasks.run('login', ['auth-error']);
  expect(await tasks.until('login', 'PAUSED')).toMatchObject({
    reason: 'login_needed',
    waiting_for_input: true,
  });
});
