const MAX_WORDS = 5;
const MAX_LENGTH = 40;

/** Takes a description and the names that are taken; gives a free name after its first words, or ''. */
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
    if (longer.length > MAX_LENGTH && name !== '') break;
    name = longer.slice(0, MAX_LENGTH);
  }
  const isTaken = new Set(taken.map((other) => other.toLowerCase()));
  if (name === '' || !isTaken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name}-${number}`;
    if (!isTaken.has(numbered)) return numbered;
  }
}
