/** As long as a name may be. */
const MAX_LENGTH = 32;

/** Takes a directory and the names that are taken; gives a free one after its last part, or ''. */
export function suggestName(directory: string, taken: readonly string[]): string {
  const last = directory.trim().split('/').filter(Boolean).at(-1) ?? '';
  const name = clean(last);
  if (name === '' || !taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name.slice(0, MAX_LENGTH - `-${number}`.length)}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

function clean(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH);
}
