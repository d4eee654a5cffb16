/** The version of the real client, out of what it says to `--version`. */

export interface ClientVersion {
  major: number;
  minor: number;
  patch: number;
}

/** The newest client whose behaviour was measured; a newer one is treated as this one. */
export const NEWEST_TESTED: Readonly<ClientVersion> = { major: 2, minor: 1, patch: 330 };

/** Takes an answer such as `2.1.329 (Claude Code)`; gives the version, or null for any other client. */
export function parseClientVersion(answer: string): ClientVersion | null {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6}) \(Claude Code\)$/.exec(answer.trim());
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Takes two versions; gives a number below, at or above 0, as for `Array.sort`. */
export function compareVersions(a: ClientVersion, b: ClientVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** Takes a version; gives it as people write it. */
export function formatVersion({ major, minor, patch }: ClientVersion): string {
  return `${major}.${minor}.${patch}`;
}
