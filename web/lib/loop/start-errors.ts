import type { RequestError, RequestErrorCode } from '$lib/client/request-error.ts';

export type StartField =
  'session' | 'name' | 'cwd' | 'taskDir' | 'maxIterations' | 'timeoutMinutes' | 'form';
export type StartErrors = Partial<Record<StartField, string>>;

const LOOP_FIELDS: Partial<Record<RequestErrorCode, StartField>> = {
  unsafe_task_dir: 'taskDir',
  outside_roots: 'taskDir',
  task_dir_missing: 'taskDir',
  task_dir_busy: 'taskDir',
  session_unknown: 'session',
  session_busy: 'session',
  not_ready: 'session',
};

const BODY_FIELDS = ['name', 'cwd', 'taskDir', 'maxIterations', 'timeoutMinutes'] as const;

/** Takes why a loop could not start; gives the message at the field it belongs to. */
export function loopErrors(error: RequestError): StartErrors {
  if (error.code === 'invalid_body') return bodyErrors(error);
  return { [LOOP_FIELDS[error.code] ?? 'form']: error.message };
}

/** Takes why a session could not open; the directory is its own or that of the task. */
export function sessionErrors(error: RequestError, hasOwnDirectory: boolean): StartErrors {
  const directory: StartField = hasOwnDirectory ? 'cwd' : 'taskDir';
  switch (error.code) {
    case 'session_exists':
      return { name: error.message };
    case 'cwd_missing':
    case 'outside_roots':
      return { [directory]: error.message };
    case 'invalid_body': {
      const { cwd, ...others } = bodyErrors(error);
      return cwd === undefined ? others : { ...others, [directory]: cwd };
    }
    default:
      return { form: error.message };
  }
}

/** The daemon lists what is wrong with a body by field; anything else is said of the whole form. */
function bodyErrors(error: RequestError): StartErrors {
  const issues = Array.isArray(error.details.issues) ? (error.details.issues as unknown[]) : [];
  const found: StartErrors = {};
  for (const issue of issues) {
    const { field, message } = issue as { field?: unknown; message?: unknown };
    const known = BODY_FIELDS.find((name) => name === field);
    if (known !== undefined && typeof message === 'string') found[known] ??= message;
  }
  return Object.keys(found).length === 0 ? { form: error.message } : found;
}
