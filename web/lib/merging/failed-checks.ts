import type { RequestError } from '$lib/client/request-error.ts';

export interface FailedCheck {
  name: string;
  output: string;
}

/** The checks that refused a merge, with the end of their output; none for another error. */
export function failedChecks(error: RequestError | null): FailedCheck[] {
  const checks: unknown = error?.code === 'merge_refused' ? error.details['checks'] : null;
  return Array.isArray(checks) ? checks.filter(isFailed) : [];
}

function isFailed(check: unknown): check is FailedCheck {
  if (typeof check !== 'object' || check === null) return false;
  const { name, output, status } = check as Record<string, unknown>;
  return typeof name === 'string' && typeof output === 'string' && status === 'failed';
}
