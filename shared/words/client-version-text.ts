import type { ClientVersions } from '../schema/client-versions.ts';

type Row = ClientVersions['versions'][number];

/** Whether a version of the client is typed into, and on whose word. */
export function clientVersionText({ tested, trusted, trusted_by: by }: Row): string {
  if (tested) return 'yes, tested';
  if (by !== null) return `yes, trusted by ${by}`;
  return trusted ? 'yes, by LOOPWATCH_CLIENT_TRUST' : 'no, newer than tested';
}
