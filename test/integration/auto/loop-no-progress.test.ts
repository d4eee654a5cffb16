/** A loop that changes nothing any more stops for a person; one that moves continues. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitRepository } from '../../support/git/git-repository.ts';
import { isRead, putSignal, signalText, untilRead } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const AT_WORK = {
  status_record: true,
  steps: [
    { do: 'step', work_ms: 600_000, signal: { step: 'check', result: 'PASS', next: 'exec' } },
  ],
};

/** A loop in a repository whose agent keeps a transcript; `call` adds a tool call to it. */
async function startedLoop(world: World) {
  const { api } = await world.start();
  const project = world.taskDir('project');
  gitRepository(project);
  const taskDir = world.taskDir('project/one', AT_WORK);
  await api.openSession('web', taskDir);
  await api.startLoop('web', taskDir, { maxIterations: 999 });
  const records = join(world.root, 'claude', 'sessions');
  const sessionId = await until('the agent has a record', () => {
    const [name] = existsSync(records) ? readdirSync(records) : [];
    if (name === undefined) return null;
    const record = JSON.parse(readFileSync(join(records, name), 'utf8')) as { sessionId: string };
    return record.sessionId;
  });
  const transcripts = join(world.root, 'claude', 'projects', 'one');
  mkdirSync(transcripts, { recursive: true });
  const transcript = join(transcripts, `${sessionId}.jsonl`);
  const call = (file: string) => {
    const content = [{ type: 'tool_use', id: 'x', name: 'Read', input: { file_path: file } }];
    appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', message: { content } })}\n`);
  };
  const report = async () => {
    putSignal(taskDir, signalText());
    await untilRead(taskDir);
  };
  return { api, taskDir, call, report };
}

const POLLS_FOR_A_REPORT = 25;
const TWO = { LOOPWATCH_LOOP_NO_PROGRESS_SIGNALS: '2' };

it('LP68 a loop whose reports change nothing stops, is listed for a person, and can start again', async () => {
  await using world = new World(TWO);
  const { api, taskDir, call } = await startedLoop(world);
  call('a.ts');
  putSignal(taskDir, signalText());
  let polls = 0;
  const failed = await until('it stopped', async () => {
    // Not awaited: a loop that stopped reads none. Nor at once: a file that is replaced while the
    // files are compared cannot be measured.
    polls += 1;
    if (polls % POLLS_FOR_A_REPORT === 0 && isRead(taskDir)) putSignal(taskDir, signalText());
    const loop = await api.loop('web');
    return loop.status === 'failed' ? loop : null;
  });
  expect(failed).toMatchObject({ stop_reason: 'no_progress' });
  const { body } = await api.get('/api/attention');
  expect(body['items']).toMatchObject([{ reason: 'no_progress', title: 'The loop failed' }]);
  const asked = await api.event('auto.stop_requested');
  expect(asked.data).toMatchObject({ reason: 'no_progress', by: 'daemon' });
  // On a busy machine the agent may take longer to start than a start waits.
  await until('it starts again', async () => {
    const { status } = await api.startLoop('web', taskDir);
    return status === 201;
  });
});

it('LP68 new files and new tool calls are progress', async () => {
  await using world = new World(TWO);
  const { api, taskDir, call, report } = await startedLoop(world);
  for (let n = 0; n < 8; n += 1) {
    if (n % 2 === 0) call(`${n}.ts`);
    else writeFileSync(join(taskDir, `${n}.ts`), '');
    await report();
  }
  expect(await api.events('&types=auto.stop_requested')).toEqual([]);
  expect((await api.loop('web')).status).toBe('running');
});
