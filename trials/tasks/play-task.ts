/** A task without a terminal: turns of the real client, gates of the host, a verdict of the model. */
import { join } from 'node:path';
import { makeProject } from '../project.ts';
import type { Stage } from '../stage.ts';
import { createTask, greet, taskEnds, taskOf, VERDICT } from './greeting-task.ts';

const NO_VERDICT = {
  is_complete: false,
  confidence: 0.9,
  reasoning: 'Nothing says how it was verified.',
};

/** Throws when the task does not end as completed and proven, after a second turn, across a killed daemon. */
export async function playTask(stage: Stage): Promise<void> {
  const project = join(stage.work, 'project');
  await makeProject(project);
  stage.truth.judgesNothing();
  await stage.begin(project);
  stage.model.answerOwn(JSON.stringify(NO_VERDICT));
  greet(stage, project, 'greet', 2_000);
  await createTask(stage, project, 'greet');
  await stage.until(
    'a second turn',
    async () => ((await taskOf(stage, 'greet'))?.iterations ?? 0) >= 2,
  );
  stage.model.answerOwn(VERDICT);
  await stage.daemon.end('SIGKILL');
  await stage.daemon.start();
  await taskEnds(stage, 'greet');
}
