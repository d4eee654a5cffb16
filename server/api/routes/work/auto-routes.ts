import { resolve } from 'node:path';
import type { AUTO_ENDPOINTS } from '../../../../shared/endpoints/work/auto-endpoints.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { AutoLoops } from '../../../auto/auto-loops.ts';
import type { Demo } from '../../../demo/demo.ts';
import type { LoopState } from '../../../auto/machine/loop-state.ts';
import type { ActionResult } from '../../../events/event-log.ts';
import type { LoopHistoryReader } from '../../../auto/loop-history.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** Auto loops: start, limits, stop, state, the loop of a directory, and past loops. */
export function autoRoutes({
  loops,
  demo,
  history,
}: {
  loops: AutoLoops;
  demo: Demo;
  history: LoopHistoryReader;
}): Handlers<keyof typeof AUTO_ENDPOINTS> {
  return {
    startAuto: async ({ params, body, ...call }) =>
      started(await loops.start(params.id, body, identityOf(call).name)),
    restartAuto: async ({ params, body, ...call }) =>
      started(await loops.restart(params.id, body, identityOf(call).name)),
    listPastLoops: async ({ query }) => ({ status: 200, body: await history.read(query) }),
    startDemo: async (call) => started(await demo.start(identityOf(call).name)),
    changeLimits: ({ params, body, ...call }) => {
      const { result, seq } = loops.changeLimits(params.id, body, identityOf(call).name);
      return { status: 200, body: { ...result, seq } };
    },
    stopAuto: ({ params, ...call }) => {
      const { result: status, seq } = loops.stop(params.id, identityOf(call).name);
      return status === 'stopped'
        ? { status: 200, body: { status, seq } }
        : { status: 202, body: { status, seq } };
    },
    getAuto: ({ params }) => ({ status: 200, body: loops.get(params.id) }),
    listAuto: () => ({ status: 200, body: { loops: loops.list() } }),
    lookupAuto: ({ query }) => {
      const loop = loops.lookup(resolve(query.project ?? '/', query.taskDir));
      // One answer for "no loop", "no such directory" and "not yours", so that paths are not
      // disclosed.
      if (loop === null) throw new AppError('no_loop', 'no loop is running on that directory');
      return { status: 200, body: { session_name: loop.session_name, status: loop.status } };
    },
  };
}

function started({ result: state, seq }: ActionResult<LoopState>) {
  return {
    status: 201 as const,
    body: {
      session_name: state.sessionName,
      task_dir: state.taskDir,
      status: state.status,
      max_iterations: state.maxIterations,
      timeout_minutes: state.timeoutMinutes,
      started_at: state.startedAt,
      seq,
    },
  };
}
