/** Errors of a new task by form field. Pure. */
import type { RequestError, RequestErrorCode } from '$lib/client/request-error.ts';
import { gateProblem } from '$lib/host-tests/test-choice.ts';
import { type FieldErrors, fieldErrors } from '$lib/ui/forms/field-errors.ts';
import type { TaskBody } from './task-values.ts';

/** Fields as named in the contract. */
export type TaskErrors = FieldErrors<keyof TaskBody>;

const FIELD_OF: Partial<Record<RequestErrorCode, keyof TaskBody>> = {
  task_exists: 'task_name',
  outside_roots: 'root_folder',
  project_missing: 'root_folder',
  not_a_repository: 'root_folder',
  project_busy: 'root_folder',
  worktree_needed: 'use_worktree',
  branch_missing: 'base_branch',
  branch_in_use: 'task_name',
  dependency_unknown: 'depends_on',
  dependency_cycle: 'depends_on',
  no_host_fits: 'placement',
  host_unknown: 'placement',
};

/** Fields that are in the form. */
const TASK_FIELDS: readonly (keyof TaskBody)[] = [
  'task_name',
  'description',
  'root_folder',
  'base_branch',
  'use_worktree',
  'projects',
  'end_criteria',
  'project_context',
  'max_iterations',
  'max_tokens',
  'max_cost_usd',
  'max_minutes',
  'max_unchanged_turns',
  'gates',
  'test_commands',
  'priority',
  'depends_on',
  'permission_mode',
  'placement',
];

/** Checks a body before it is sent. */
export function missingIn(body: TaskBody): TaskErrors {
  const errors: TaskErrors = {};
  if (body.description === '') errors.description = 'Enter a description.';
  if (body.task_name === '') errors.task_name = 'Enter a name.';
  else if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/.test(body.task_name)) {
    errors.task_name = 'Use letters, digits, - and _, starting with a letter or digit.';
  }
  const folder = body.root_folder ?? '';
  if (folder === '') errors.root_folder = 'Enter a project directory.';
  else if (!folder.startsWith('/')) errors.root_folder = 'The path must start with /.';
  const gates = gateProblem(body.gates ?? []);
  if (gates !== null) errors.gates = gates;
  return errors;
}

/** Maps a rejection to the fields of the form. */
export function taskErrors(error: RequestError): TaskErrors {
  if (error.code === 'outcome_unknown') return { form: unknownOutcome(error) };
  if (error.code === 'invalid_body') return fieldErrors(error, TASK_FIELDS);
  return { [FIELD_OF[error.code] ?? 'form']: error.message };
}

/** The form keeps the id: another attempt does not create it twice. */
function unknownOutcome({ details }: RequestError): string {
  const { host: named } = details;
  const host = typeof named === 'string' ? named : 'the other host';
  return `No answer from ${host}: the task may have been created there. Press “Create task” again; it is created only once.`;
}
