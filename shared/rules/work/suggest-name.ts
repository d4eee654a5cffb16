/** Suggested names, until another one is typed. Pure. */

/** The longest session name. */
const MAX_SESSION = 32;
const MAX_WORDS = 5;
const MAX_TASK = 40;
/** The longest name that a task can have. */
const MAX_TASK_NAME = 200;

/** A free name from the directory's last part, or ''. */
export function suggestName(directory: string, taken: readonly string[]): string {
  const last = directory.trim().split('/').filter(Boolean).at(-1) ?? '';
  const name = last
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SESSION);
  return freeName(name, taken, MAX_SESSION);
}

/** A free name from the first words of the description, or ''. */
export function suggestTaskName(description: string, taken: readonly string[]): string {
  const [line = ''] = description.trim().split('\n');
  const words =
    line
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  let name = '';
  for (const word of words.slice(0, MAX_WORDS)) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (longer.length > MAX_TASK && name !== '') break;
    name = longer.slice(0, MAX_TASK);
  }
  const lower = taken.map((other) => other.toLowerCase());
  return freeName(name, lower, Infinity);
}

/** The first free name of a copy: `_copy`, then `_copy_1` and so on. */
export function copyName(original: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 0; ; number += 1) {
    const end = number === 0 ? '_copy' : `_copy_${number}`;
    const name = original.slice(0, MAX_TASK_NAME - end.length) + end;
    if (!lower.has(name.toLowerCase())) return name;
  }
}

/** The name itself, or with the first number that makes it free. */
function freeName(name: string, taken: readonly string[], maxLength: number): string {
  if (name === '' || !taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name.slice(0, maxLength - `-${number}`.length)}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}
