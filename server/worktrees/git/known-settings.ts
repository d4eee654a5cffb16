/**
 * The settings of a repository that git needs in order to read it. None names a program or a path.
 */

export interface Setting {
  /** As git lists it: `section.key` or `section.subsection.key`. */
  key: string;
  /** Null: it has no value, which means true. */
  value: string | null;
}

/** How files and objects are stored, who commits, and the origin of the repository. */
const KNOWN = [
  /^core\.(repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode)$/,
  /^core\.(autocrlf|eol|sharedrepository|logallrefupdates|bigfilethreshold)$/,
  // Git refuses an unknown format. Settings of a single worktree are not read.
  /^extensions\.(?!worktreeconfig$)[a-z0-9-]+$/,
  /^user\.(name|email)$/,
  /^remote\..+\.(url|promisor|partialclonefilter)$/s,
];

/** Git reads these before a worktree is known; without them it refuses, or takes it for a bare one. */
const ALWAYS: Setting[] = [
  { key: 'core.bare', value: 'false' },
  { key: 'core.repositoryformatversion', value: '0' },
];

/** Parses the output of `git config --list -z`. */
export function parseSettings(listing: string): Setting[] {
  return listing
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.indexOf('\n');
      return end < 0
        ? { key: line, value: null }
        : { key: line.slice(0, end), value: line.slice(end + 1) };
    });
}

/** The text of a configuration file with only the known ones among these settings. */
export function knownSettings(settings: readonly Setting[]): string {
  const known = settings.filter(({ key }) => KNOWN.some((pattern) => pattern.test(key)));
  return [...ALWAYS, ...known].map(textOf).join('');
}

/** Of several values the last one counts, as in git. */
export function isTrue(settings: readonly Setting[], key: string): boolean {
  const found = settings.findLast((setting) => setting.key === key);
  return (
    found !== undefined && (found.value === null || /^(true|yes|on|[1-9]\d*)$/i.test(found.value))
  );
}

function textOf({ key, value }: Setting): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const subsection =
    first === last ? '' : ` "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"`;
  const line =
    value === null ? '' : ` = "${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${line}\n`;
}
