import { isRunMark } from '../../../../shared/rules/work/is-run-mark.ts';
import type { RUN_ENDPOINTS } from '../../../../shared/endpoints/work/run-endpoints.ts';
import type { RUN_WORK_ENDPOINTS } from '../../../../shared/endpoints/work/run-work-endpoints.ts';
import type { Run } from '../../../../shared/schema/runs/run.ts';
import type { RunSupervisor } from '../../../runs/executor/run-supervisor.ts';
import type { RunScheduler } from '../../../runs/run-scheduler.ts';
import type { RunWork } from '../../../runs/run-work.ts';
import type { Runs } from '../../../runs/runs.ts';
import type { StoredRuns } from '../../../runs/stored-runs.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

interface RunServices {
  board: RunScheduler;
  runs: Runs;
  stored: StoredRuns;
  work: RunWork;
}

export function runRoutes({
  board,
  runs,
  stored,
  work,
}: RunServices): Handlers<keyof typeof RUN_ENDPOINTS | keyof typeof RUN_WORK_ENDPOINTS> {
  const changed = ({ run, seq }: { run: RunSupervisor; seq: number }): Run & { seq: number } => ({
    ...board.view(run),
    seq,
  });
  return {
    startRun: async ({ body, ...call }) => ({
      status: 201,
      body: changed(await runs.start(body, identityOf(call).name)),
    }),
    listRuns: async ({ query }) => {
      const { status, phase, limit, max_problems: maxProblems } = query;
      const all = await stored.list();
      const wanted = all.runs.filter(
        (run) =>
          (status === undefined || run.status === status) &&
          (phase === undefined || run.phase === phase),
      );
      const problems =
        query.problems === 'all'
          ? all.problems
          : all.problems.filter((problem) => !isRunMark(problem));
      return {
        status: 200,
        body: {
          runs: wanted.slice(0, limit),
          total: wanted.length,
          problems: problems.slice(0, maxProblems),
          problems_total: problems.length,
        },
      };
    },
    cleanUpRuns: async ({ body, ...call }) => ({
      status: 200,
      body: await runs.cleanUp(body, identityOf(call).name),
    }),
    getRun: ({ params }) => ({ status: 200, body: stored.get(params.id) }),
    stopRun: ({ params, body, ...call }) => {
      const done = runs.stop(params.id, body.reason ?? null, identityOf(call).name);
      return { status: 200, body: changed(done) };
    },
    resumeRun: async ({ params, body, ...call }) => {
      const done = await stored.resume(params.id, body, identityOf(call).name);
      return { status: 200, body: changed(done) };
    },
    deleteRun: async ({ params, query, ...call }) => {
      const done = await runs.remove(params.id, query.cleanup_worktree, identityOf(call).name);
      return { status: 200, body: done };
    },
    sendRunInput: ({ params, body, ...call }) => ({
      status: 202,
      body: work.say(params.id, body, identityOf(call).name),
    }),
    getRunPlan: ({ params }) => ({ status: 200, body: work.plan(params.id) }),
    editRunPlan: ({ params, body, ...call }) => ({
      status: 200,
      body: work.editPlan(params.id, body, identityOf(call).name),
    }),
    acceptRunPlan: ({ params, body, ...call }) => {
      const done = work.acceptPlan(params.id, body.hash, identityOf(call).name);
      return { status: 200, body: changed(done) };
    },
    getRunInteractions: ({ params, query }) => ({
      status: 200,
      body: work.interactions(params.id, query),
    }),
    getRunChecks: ({ params, query }) => ({
      status: 200,
      body: work.checks(params.id, query.iteration),
    }),
    getRunDiff: async ({ params, query }) => ({
      status: 200,
      body: await work.diff(params.id, query.iteration),
    }),
    getRunReport: ({ params }) => ({ status: 200, body: work.report(params.id) }),
    mergeRun: async ({ params, body, ...call }) => {
      const { into, squash } = body;
      const { commit, ...done } = await work.merge(params.id, into, squash, identityOf(call).name);
      return { status: 200, body: { ...changed(done), commit } };
    },
  };
}
