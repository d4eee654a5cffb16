import type { Work } from '../../usage/usage-entry.ts';
import type { RunRecord } from '../stores/run-record.ts';

/** What the usage of its turns counts for. */
export function runWork({ id, request, createdBy }: RunRecord): Work {
  return {
    subject: { kind: 'run', id },
    project: request.directory,
    person: createdBy ?? '',
  };
}
