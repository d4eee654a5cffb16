/** One key for a repository on all hosts, by the address of its remote, however it is spelled. */
import { createHash } from 'node:crypto';
import { remoteAddress } from './remote-address.ts';

/** Enough that no two repositories of a fleet share one. */
const DIGITS = 32;

/** A key as `RepositoryKey` describes it; null for a remote that only means something here. */
export function repositoryKey(remote: string | null): string | null {
  const address = remoteAddress(remote ?? '');
  if (address === null) return null;
  const { host, port, path } = address;
  const text = `${host}${port === null ? '' : `:${port}`}${path}`;
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}
