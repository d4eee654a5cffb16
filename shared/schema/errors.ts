/**
 * The closed list of error codes, each with its HTTP status and whether retrying the same request
 * can help. One table, used by the server, the CLI and the page.
 */
import { z } from 'zod';

const ERRORS = {
  invalid_body: { status: 400, retryable: false },
  invalid_query: { status: 400, retryable: false },
  unsafe_task_dir: { status: 400, retryable: false },
  outside_roots: { status: 400, retryable: false },
  permissions_unavailable: { status: 400, retryable: false },
  cwd_missing: { status: 400, retryable: false },
  wrong_task_status: { status: 400, retryable: false },
  task_exists: { status: 400, retryable: false },
  branch_in_use: { status: 400, retryable: false },
  project_busy: { status: 400, retryable: false },
  worktree_needed: { status: 400, retryable: false },
  project_missing: { status: 400, retryable: false },
  not_a_repository: { status: 400, retryable: false },
  branch_missing: { status: 400, retryable: false },
  invalid_archive: { status: 400, retryable: false },
  git_too_old: { status: 400, retryable: false },
  dependency_cycle: { status: 400, retryable: false },
  dependency_unknown: { status: 400, retryable: false },
  no_worktree: { status: 400, retryable: false },
  not_editable: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  invalid_login_code: { status: 401, retryable: false },
  foreign_origin: { status: 403, retryable: false },
  role_too_low: { status: 403, retryable: false },
  directory_unreadable: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  session_unknown: { status: 404, retryable: false },
  task_dir_missing: { status: 404, retryable: false },
  directory_missing: { status: 404, retryable: false },
  no_recording: { status: 404, retryable: false },
  screen_unknown: { status: 404, retryable: false },
  no_loop: { status: 404, retryable: false },
  input_unknown: { status: 404, retryable: false },
  attention_unknown: { status: 404, retryable: false },
  alert_unknown: { status: 404, retryable: false },
  alert_delivery_unknown: { status: 404, retryable: false },
  person_unknown: { status: 404, retryable: false },
  task_unknown: { status: 404, retryable: false },
  interaction_unknown: { status: 404, retryable: false },
  prompt_unknown: { status: 404, retryable: false },
  run_unknown: { status: 404, retryable: false },
  no_plan: { status: 404, retryable: false },
  no_report: { status: 404, retryable: false },
  project_session_unknown: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  session_exists: { status: 409, retryable: false },
  session_busy: { status: 409, retryable: false },
  task_dir_busy: { status: 409, retryable: false },
  not_ready: { status: 409, retryable: true },
  input_not_held: { status: 409, retryable: false },
  loop_not_running: { status: 409, retryable: false },
  respawn_not_running: { status: 409, retryable: false },
  attention_cleared: { status: 409, retryable: false },
  not_answerable: { status: 409, retryable: false },
  alert_disabled: { status: 409, retryable: false },
  alert_delivery_not_dead: { status: 409, retryable: false },
  name_taken: { status: 409, retryable: false },
  too_many_people: { status: 409, retryable: false },
  worktree_holds_work: { status: 409, retryable: false },
  wrong_run_status: { status: 409, retryable: false },
  run_stale: { status: 409, retryable: false },
  checkpoint_corrupt: { status: 409, retryable: false },
  checkpoint_version: { status: 409, retryable: false },
  checkpoint_unreadable: { status: 409, retryable: false },
  plan_changed: { status: 409, retryable: false },
  merge_conflict: { status: 409, retryable: false },
  merge_refused: { status: 409, retryable: false },
  run_exists: { status: 409, retryable: false },
  run_busy: { status: 409, retryable: false },
  run_directory_missing: { status: 409, retryable: false },
  archive_exists: { status: 409, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  unknown_host: { status: 421, retryable: false },
  too_many_attempts: { status: 429, retryable: true },
  internal: { status: 500, retryable: false },
  worktree_failed: { status: 500, retryable: true },
  git_failed: { status: 500, retryable: true },
  terminal_unavailable: { status: 501, retryable: false },
  agent_not_started: { status: 502, retryable: true },
  terminal_failed: { status: 502, retryable: true },
  hooks_busy: { status: 503, retryable: true },
  shutting_down: { status: 503, retryable: true },
  storage_busy: { status: 503, retryable: true },
  storage_failed: { status: 503, retryable: true },
  storage_full: { status: 507, retryable: true },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ErrorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

export const ErrorBody = z.object({
  error: z.object({
    code: ErrorCode,
    message: z.string(),
    retryable: z.boolean(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  /** The message again, on the routes of tasks. */
  detail: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export function errorTraits(code: ErrorCode): { status: number; retryable: boolean } {
  return ERRORS[code];
}
