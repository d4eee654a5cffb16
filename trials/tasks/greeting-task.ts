/** The task of a trial: a greeting in a file, which a gate of the host reads. */
import { join } from 'node:path';
import type { Task } from '../../shared/schema/tasks/task.ts';
import { say } from '../model/reply.ts';
import type { Stage } from '../stage.ts';

/** What the model says of a task that is done. */
export const VERDICT = JSON.stringify({
  is_complete: true,
  confidence: 0.95,
  reasoning: 'The file is there, and its text was read.',
});

export async function createTask(stage: Stage, project: string, name: string): Promise<void> {
  await stage.send('POST', '/api/v1/tasks', {
    task_name: name,
    description: 'Write a greeting into hello.txt.',
    root_folder: project,
    end_criteria: 'hello.txt greets',
    gates: [{ name: 'greeting', command: 'grep -q Hello hello.txt' }],
    test_commands: [],
    auto_start: true,
  });
}

/** From now on the model writes the file of that task, then says so within `overMs`. */
export function greet(stage: Stage, project: string, name: string, overMs = 0): void {
  const file_path = join(project, '.claude_worktrees', name, 'hello.txt');
  const write = { kind: 'tool', tool: 'Write', asks: false } as const;
  stage.model.decide((messages) => {
    const isWritten = JSON.stringify(messages).includes('"name":"Write"');
    return isWritten
      ? say('hello.txt greets; I read it.', overMs)
      : { ...write, input: { file_path, content: 'Hello.\n' } };
  });
}

/** Throws when it does not end as completed and proven. */
export async function taskEnds(stage: Stage, name: string): Promise<void> {
  const task = await stage.until('the end of the task', async () => {
    const now = await taskOf(stage, name);
    return now !== null && ['COMPLETED', 'FAILED', 'STOPPED'].includes(now.status) ? now : null;
  });
  if (task.status !== 'COMPLETED' || task.completion?.proof !== 'proven')
    throw new Error(`it ended otherwise: ${JSON.stringify(task)}`);
}

/** Null while the daemon does not answer. */
export async function taskOf(stage: Stage, name: string): Promise<Task | null> {
  return stage.send('GET', `/api/v1/tasks/by-name/${name}`).then(
    (body) => body as unknown as Task,
    () => null,
  );
}
