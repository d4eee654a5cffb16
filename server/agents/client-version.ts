/** The version of the real client, from its answer to `--version`. */

export interface ClientVersion {
  major: number;
  minor: number;
  patch: number;
}

/** The newest client whose behaviour was measured; nothing is typed into newer ones unless trusted. */
export const NEWEST_TESTED: Readonly<ClientVersion> = { major: 2, minor: 1, patch: 330 };

/** From an answer such as `2.1.329 (Claude Code)`; null for any other client. */
export function parseClientVersion(answer: string): ClientVersion | null {
  const [, version] = /^(\S+) \(Claude Code\)$/.exec(answer.trim()) ?? [];
  return version === undefined ? null : parseVersion(version);
}

/** From `2.1.329`; null for what is no such number. */
export function parseVersion(text: string): ClientVersion | null {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(text);
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** A number below, at or above 0, as for `Array.sort`. */
export function compareVersions(a: ClientVersion, b: ClientVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

export function formatVersion({ major, minor, patch }: ClientVersion): string {
  return `${major}.${minor}.${patch}`;
}
