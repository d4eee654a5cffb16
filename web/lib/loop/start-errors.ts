import type { RequestError, RequestErrorCode } from '$lib/client/request-error.ts';
import { type FieldErrors, fieldErrors } from '$lib/ui/forms/field-errors.ts';

const BODY_FIELDS = ['name', 'cwd', 'taskDir', 'maxIterations', 'timeoutMinutes'] as const;

type StartField = 'session' | (typeof BODY_FIELDS)[number];
export type StartErrors = FieldErrors<StartField>;

const LOOP_FIELDS: Partial<Record<RequestErrorCode, StartField>> = {
  unsafe_task_dir: 'taskDir',
  outside_roots: 'taskDir',
  task_dir_missing: 'taskDir',
  task_dir_busy: 'taskDir',
  session_unknown: 'session',
  session_busy: 'session',
  not_ready: 'session',
};

/** Maps a failed start to the fields of the form. */
export function loopErrors(error: RequestError): StartErrors {
  if (error.code === 'invalid_body') return fieldErrors(error, BODY_FIELDS);
  return { [LOOP_FIELDS[error.code] ?? 'form']: error.message };
}

/** Maps a failed session to the fields; its directory is its own or the task's. */
export function sessionErrors(error: RequestError, hasOwnDirectory: boolean): StartErrors {
  const directory: StartField = hasOwnDirectory ? 'cwd' : 'taskDir';
  switch (error.code) {
    case 'session_exists':
      return { name: error.message };
    case 'cwd_missing':
    case 'outside_roots':
      return { [directory]: error.message };
    case 'invalid_body': {
      const { cwd, ...others } = fieldErrors(error, BODY_FIELDS);
      return cwd === undefined ? others : { ...others, [directory]: cwd };
    }
    default:
      return { form: error.message };
  }
}
