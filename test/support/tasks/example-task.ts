/** A task as the page has it; tests change the fields they need. */
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import type { Task } from '../../../shared/schema/tasks/task.ts';

export const TASK_AT = '2026-01-01T00:00:00.000Z';

export function exampleTask(task_name: string, more: Partial<Task> = {}): Task {
  return {
    id: `id of ${task_name}`,
    task_name,
    session_id: 'project',
    description: 'Greet by name.',
    root_folder: '/srv/shop',
    branch_name: `task/${task_name}`,
    base_branch: 'main',
    git_repo: null,
    is_repository: true,
    use_worktree: true,
    worktree_path: `/trees/${task_name}`,
    status: 'RUNNING',
    outcome: null,
    reason: null,
    completion: null,
    wait: null,
    progress: 'The agent is working on its 2nd turn.',
    priority: 0,
    depends_on: [],
    queue_position: null,
    summary: null,
    error_message: null,
    end_criteria_config: {
      criteria: null,
      max_iterations: 20,
      max_tokens: null,
      max_cost_usd: null,
      max_minutes: null,
      gates: [],
      test_commands: null,
    },
    projects: [],
    project_context: '',
    custom_human_input: null,
    permission_mode: 'acceptEdits',
    claude_session_id: null,
    process_running: true,
    process_pid: 1,
    iterations: 1,
    total_tokens_used: 100,
    total_cost_usd: 0.1,
    model: null,
    context_percent: null,
    active_seconds: 10,
    interaction_count: 4,
    user_input_pending: false,
    waiting_for_input: false,
    placed: null,
    created_by: 'anna',
    created_at: TASK_AT,
    updated_at: TASK_AT,
    started_at: TASK_AT,
    completed_at: null,
    test_cases: [],
    interactions: [],
    ...more,
  };
}

export function exampleInteraction(id: number, more: Partial<Interaction> = {}): Interaction {
  const content = more.content ?? `words ${id}`;
  return {
    id,
    type: 'claude_response',
    content,
    length: content.length,
    timestamp: TASK_AT,
    turn: 1,
    tool: null,
    is_error: false,
    author: null,
    input_tokens: null,
    output_tokens: null,
    cache_creation_tokens: null,
    cache_read_tokens: null,
    duration_ms: null,
    cost_usd: null,
    ...more,
  };
}
