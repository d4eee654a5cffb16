import type { Task } from '../../shared/tasks/task.ts';

const AT = '2026-01-01T10:00:00.000Z';

/** Takes what a test is about; gives a task that is pending otherwise. */
export function madeTask(change: Partial<Task> = {}): Task {
  return {
    ...{ id: '0199c0de-0000-7000-8000-000000000001', task_name: 'fix-login', session_id: 's' },
    ...{ description: 'Make the login work', root_folder: '/srv/app', git_repo: null },
    ...{ branch_name: 'task/fix-login', base_branch: 'main', use_worktree: true },
    ...{ worktree_path: '/srv/app/.worktrees/fix-login', status: 'PENDING', outcome: null },
    ...{ reason: null, completion: null, wait: null, priority: 0, depends_on: [] },
    ...{ queue_position: null, summary: null, error_message: null },
    end_criteria_config: {
      ...{ criteria: null, max_iterations: 20, max_tokens: null, max_cost_usd: null },
      ...{ max_minutes: null, gates: [], test_commands: null },
    },
    ...{ projects: [], project_context: '', custom_human_input: null },
    ...{ permission_mode: 'bypassPermissions', claude_session_id: null },
    ...{ process_running: false, process_pid: null, iterations: 0, total_tokens_used: 0 },
    ...{ total_cost_usd: 0, active_seconds: 0, interaction_count: 0 },
    ...{ user_input_pending: false, waiting_for_input: false, created_by: null },
    ...{ created_at: AT, updated_at: AT, started_at: null, completed_at: null },
    ...{ test_cases: [], interactions: [] },
    ...change,
  };
}
