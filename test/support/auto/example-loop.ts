import { noLoopView } from '../../../server/auto/loop-view.ts';
import type { Loop } from '../../../shared/schema/model.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** A loop right after its start, as clients read it. */
export function exampleLoop(change: Partial<Loop> = {}): Loop {
  return {
    ...noLoopView('web'),
    status: 'starting',
    status_since: AT,
    task_dir: '/tasks/web',
    agent: 'claude',
    iteration: 0,
    max_iterations: 20,
    elapsed_seconds: 0,
    timeout_seconds: 1_800,
    timeout_minutes: 30,
    quota_wait_seconds: 0,
    started_at: AT,
    restart_count: 0,
    recovery_count_step: 0,
    recovery_count_total: 0,
    ...change,
  };
}
