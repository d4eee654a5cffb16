/** The times in a row that a client draws, taken out. */

const DURATION = /(?<![\w.])(?:\d+d ?)?(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)?(?:ms|[smhd])(?![\w.])/g;
const CLOCK = /(?<![\w:])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?![\w:])/gi;
const OPEN = /\( *(?:[·•∙,|] *)*/g;
const CLOSE = /(?: *[·•∙,|])* *\)/g;

/** One cut may bring the next two signs together; more rounds than this are hostile. */
const ROUNDS = 8;

/**
 * Takes a row; gives it without the durations in it (`12s`, `1h 2m`, `in 3.5s`) and without the
 * signs that parted them from the rest. A time alone between brackets takes them along.
 */
export function withoutTimes(row: string): string {
  const indent = /^ */.exec(row)?.[0] ?? '';
  let text = row.slice(indent.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const shorter = cutOnce(text);
    if (shorter === text) break;
    text = shorter;
  }
  return text === '' ? '' : indent + text;
}

function cutOnce(text: string): string {
  return text
    .replaceAll(DURATION, '')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(OPEN, '(')
    .replaceAll(CLOSE, ')')
    .replaceAll('()', '')
    .replaceAll(/(?: ?[·•∙,|]){2,}/g, ' ·')
    .replace(/^ ?[·•∙,|] /, '')
    .replace(/(?: ?[·•∙,|])+ ?$/, '')
    .trim();
}

/** Takes a row; gives it with every time of the day as one and the same. */
export function withoutClocks(row: string): string {
  return row.replaceAll(CLOCK, '0:00');
}
