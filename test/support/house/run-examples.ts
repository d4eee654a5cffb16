/** One run in each state that the calls of the contract need. */
import type { ApiClient } from '../daemon/api-client.ts';
import type { ExampleRuns } from './example-values.ts';
import { git } from '../git/git-repository.ts';
import { RunHome } from '../runs/run-home.ts';
import type { World } from '../daemon/world.ts';

/** Starts them in a repository of their own; returns what `exampleCalls` takes. */
export async function runExamples(world: World, api: ApiClient): Promise<ExampleRuns> {
  const home = new RunHome(world, api, 'runs');
  const done = await home.start();
  await home.sees(done.id, 'has a report', ({ has_report }) => has_report);
  const removed = await home.start();
  await home.until(removed.id, 'done');
  const stopped = await home.start(['in plan hang']);
  await home.post(stopped.id, 'stop');
  await home.until(stopped.id, 'stopped');
  const inReview = async () => {
    const { id } = await home.start([], { review_plan: true });
    await home.until(id, 'waiting');
    const { body } = await api.get(`/api/runs/${id}/plan`);
    return { id, hash: String(body['hash']) };
  };
  const [reviewed, accepted] = [await inReview(), await inReview()];
  const working = await home.start(['in plan hang']);
  await home.sees(working.id, 'is at work', ({ process_pid }) => process_pid !== null);
  return {
    repository: home.repository,
    branch: git(home.repository, 'symbolic-ref', '--short', 'HEAD'),
    done: done.id,
    removed: removed.id,
    working: working.id,
    stopped: stopped.id,
    reviewed,
    accepted,
  };
}
