/** Errors of a new run by form field. Pure. */
import type { RequestError, RequestErrorCode } from '$lib/client/request-error.ts';
import { gateProblem } from '$lib/host-tests/test-choice.ts';
import { type FieldErrors, fieldErrors } from '$lib/ui/forms/field-errors.ts';
import type { StartRunBody } from '$shared/schema/runs/run-requests.ts';

/** Fields as named in the contract. */
export type RunErrors = FieldErrors<keyof StartRunBody>;

const FIELD_OF: Partial<Record<RequestErrorCode, keyof StartRunBody>> = {
  cwd_missing: 'cwd',
  outside_roots: 'cwd',
  project_missing: 'cwd',
  not_a_repository: 'cwd',
  branch_missing: 'base_branch',
  branch_in_use: 'branch',
};

/** Fields that are in the form. */
const RUN_FIELDS: readonly (keyof StartRunBody)[] = [
  'prompt',
  'cwd',
  'model',
  'permission_mode',
  'phases',
  'branch',
  'base_branch',
  'merge_into',
  'max_fix_rounds',
  'same_failure_limit',
  'max_minutes',
  'max_cost_usd',
  'max_tokens',
  'test_commands',
  'gates',
];

/** Checks a body before it is sent. */
export function missingIn(body: StartRunBody): RunErrors {
  const errors: RunErrors = {};
  if (body.prompt === '') errors.prompt = 'Enter a prompt.';
  const folder = body.cwd ?? '';
  if (folder === '') errors.cwd = 'Enter a directory.';
  else if (!folder.startsWith('/')) errors.cwd = 'The path must start with /.';
  const gates = gateProblem(body.gates ?? []);
  if (gates !== null) errors.gates = gates;
  return errors;
}

/** Maps a rejection to the fields of the form. */
export function runErrors(error: RequestError): RunErrors {
  const named = RUN_FIELDS.find((field) => field === error.details['field']);
  if (named === undefined && error.code === 'invalid_body') return fieldErrors(error, RUN_FIELDS);
  return { [named ?? FIELD_OF[error.code] ?? 'form']: error.message };
}
