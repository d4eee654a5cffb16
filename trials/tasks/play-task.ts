/** A task without a terminal: turns of the real client, gates of the host, a verdict of the model. */
import { join } from 'node:path';
import type { Task } from '../shared/schema/tasks/task.ts';
import { say } from './model/reply.ts';
import { makeProject } from './project.ts';
import type { Stage } from './stage.ts';

const NAME = 'greet';
const VERDICTS = [
  { is_complete: false, confidence: 0.9, reasoning: 'Nothing says how it was verified.' },
  { is_complete: true, confidence: 0.95, reasoning: 'The file is there, and its text was read.' },
];

/** Throws when the task does not end as completed and proven, after a second turn, across a killed daemon. */
export async function playTask(stage: Stage): Promise<void> {
  const project = join(stage.work, 'project');
  await makeProject(project);
  stage.truth.judgesNothing();
  await stage.begin(project);
  const [no, yes] = VERDICTS.map((verdict) => JSON.stringify(verdict));
  stage.model.answerOwn(no ?? '');
  const write = { kind: 'tool', tool: 'Write', asks: false } as const;
  const file_path = join(project, '.claude_worktrees', NAME, 'hello.txt');
  const input = { file_path, content: 'Hello.\n' };
  stage.model.decide((messages) => {
    const isWritten = JSON.stringify(messages).includes('"name":"Write"');
    return isWritten ? say('hello.txt greets; I read it.', 2_000) : { ...write, input };
  });
  await stage.send('POST', '/api/v1/tasks', {
    task_name: NAME,
    description: 'Write a greeting into hello.txt.',
    root_folder: project,
    end_criteria: 'hello.txt greets',
    gates: [{ name: 'greeting', command: 'grep -q Hello hello.txt' }],
    test_commands: [],
    auto_start: true,
  });
  await stage.until('a second turn', async () => ((await taskOf(stage))?.iterations ?? 0) >= 2);
  stage.model.answerOwn(yes ?? '');
  await stage.daemon.end('SIGKILL');
  await stage.daemon.start();
  const task = await stage.until('the end of the task', async () => {
    const now = await taskOf(stage);
    return now !== null && ['COMPLETED', 'FAILED', 'STOPPED'].includes(now.status) ? now : null;
  });
  if (task.status !== 'COMPLETED') throw new Error(`it ended otherwise: ${JSON.stringify(task)}`);
}

/** Null while the daemon does not answer. */
async function taskOf(stage: Stage): Promise<Task | null> {
  return stage.send('GET', `/api/v1/tasks/by-name/${NAME}`).then(
    (body) => body as unknown as Task,
    () => null,
  );
}
