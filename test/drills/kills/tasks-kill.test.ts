/** Tasks at work while daemon and agents are killed at random moments, and people send input. */
import { expect, it } from 'vitest';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import { AgentCensus } from '../../support/agents/agent-census.ts';
import { git } from '../../support/git/git-repository.ts';
import { brokenPromises } from '../../support/events/received-text.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { TaskDrill } from '../../support/tasks/task-drill.ts';
import { WorkWitness } from '../../support/tasks/work-witness.ts';
import { World } from '../../support/daemon/world.ts';
import { leftProcesses } from '../../support/daemon/world-processes.ts';

const TASKS = sized({ short: 5, middle: 20, long: 20 });
const KILLS = sized({ short: 2, middle: 3, long: 10 });
const ROUNDS = sized({ short: 1, middle: 1, long: 10 });
const SETTINGS = {
  LOOPWATCH_TASK_SLOTS: String(TASKS),
  LOOPWATCH_TASK_INTERRUPTED: 'resume',
  LOOPWATCH_ERROR_DELAYS_MS: '20,20,20,20,20,20,20,20',
};

it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  'TF1 TF2 TF3 TF4 tasks lose no work and no input when daemon and agents are killed (round %i)',
  async () => {
    await seeded(async (random) => {
      await using world = new World(SETTINGS);
      const drill = new TaskDrill(world, random, TASKS);
      const { repository } = drill.home;
      const head = git(repository, 'rev-parse', 'HEAD');
      using witness = new WorkWitness(repository);
      using census = new AgentCensus(repository);
      await drill.begin();
      while (drill.killed.daemons < KILLS) await drill.live();
      const tasks = await drill.finish();
      witness.look();
      const { inputs, runs, said } = drill;
      expect(standings(tasks)).toEqual(
        [...drill.names]
          .sort()
          .map((task_name) => ({ task_name, status: 'COMPLETED', error_message: null })),
      );
      const places = tasks.map(({ worktree_path }) => worktree_path);
      expect(new Set(places).size).toBe(TASKS);
      // Half of them are removed: the content of their worktrees is in a ref from then on.
      for (const name of drill.names.filter((_, n) => n % 2 === 0)) {
        const { status } = await drill.home.api.send('DELETE', `/api/v1/tasks/by-name/${name}`);
        expect(status).toBe(200);
      }
      await drill.stop();
      expect(await leftProcesses(world)).toEqual([]);
      expect({
        refused: drill.refused,
        broken: brokenPromises(said, inputs, runs),
        lost: witness.lost(),
        shared: census.doubles,
        main: [git(repository, 'status', '--porcelain'), git(repository, 'rev-parse', 'HEAD')],
      }).toEqual({ refused: [], broken: [], lost: [], shared: [], main: ['', head] });
      git(repository, 'fsck', '--full', '--no-dangling');
      const states = inputs.map(({ state }) => state);
      const count = (state: string) => states.filter((each) => each === state).length;
      console.log(
        `${drill.killed.daemons} daemons and ${drill.killed.agents} agents killed: ${runs.length} turns, ` +
          `${said.length} inputs (${count('delivered')} delivered, ${count('unknown')} unknown, ` +
          `${count('queued')} too late), ${witness.files.size} files, ${witness.commits.size} commits`,
      );
    });
  },
);

function standings(tasks: readonly Task[]) {
  return tasks
    .map(({ task_name, status, error_message }) => ({ task_name, status, error_message }))
    .sort((one, other) => (one.task_name < other.task_name ? -1 : 1));
}
