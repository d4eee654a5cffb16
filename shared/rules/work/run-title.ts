const LONGEST = 120;

/** What a run is called everywhere: the first line of its prompt. */
export function runTitle(prompt: string): string {
  const [first = ''] = prompt.trim().split('\n');
  return first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first;
}
