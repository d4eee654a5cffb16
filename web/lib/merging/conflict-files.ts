import type { RequestError } from '$lib/client/request-error.ts';

/** The files of a merge conflict; null for another error or none. */
export function conflictFiles(error: RequestError | null): string[] | null {
  if (error?.code !== 'merge_conflict') return null;
  const { files } = error.details;
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
}
