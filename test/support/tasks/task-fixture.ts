import type { Task } from '../../../shared/schema/tasks/task.ts';
import { exampleTask } from './example-task.ts';

const AT = '2026-01-01T10:00:00.000Z';

/** A pending task that nothing has worked on, changed as given. */
export function taskFixture(change: Partial<Task> = {}): Task {
  return exampleTask('fix-login', {
    id: '0199c0de-0000-7000-8000-000000000001',
    session_id: 's',
    description: 'Make the login work',
    root_folder: '/srv/app',
    worktree_path: '/srv/app/.worktrees/fix-login',
    status: 'PENDING',
    permission_mode: 'bypassPermissions',
    process_running: false,
    process_pid: null,
    iterations: 0,
    total_tokens_used: 0,
    total_cost_usd: 0,
    active_seconds: 0,
    interaction_count: 0,
    created_by: null,
    created_at: AT,
    updated_at: AT,
    started_at: null,
    ...change,
  });
}
