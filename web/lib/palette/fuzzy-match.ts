/** Finds a query in a text by its letters, in order. Pure. */

export interface FuzzyMatch {
  /** Higher is better; only for comparing matches of one query. */
  score: number;
  /** The places of the matched letters in the text. */
  places: number[];
}

/** What one matched letter adds, by where it is. */
const LETTER = 1;
const AFTER_ANOTHER = 9;
const AT_WORD_START = 8;
const AT_START = 4;

/** Letters and digits begin a word after anything else. */
const IN_WORD = /[\p{L}\p{N}]/u;

/**
 * Null when the text does not have the letters of the query in order. Case and blanks of the query do
 * not count. Takes the best of the places where it can begin, so that `ta` finds the word Tasks in
 * "start Tasks".
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const letters = Array.from(query.toLowerCase()).filter((letter) => letter.trim() !== '');
  const lower = text.toLowerCase();
  const [first] = letters;
  if (first === undefined) return { score: 0, places: [] };
  let best: FuzzyMatch | null = null;
  for (let start = lower.indexOf(first); start !== -1; start = lower.indexOf(first, start + 1)) {
    const match = matchFrom(letters, lower, start);
    if (match === null) break;
    if (best === null || match.score > best.score) best = match;
  }
  return best;
}

function matchFrom(letters: readonly string[], text: string, start: number): FuzzyMatch | null {
  const places: number[] = [];
  let from = start;
  for (const letter of letters) {
    const next = text.indexOf(letter, from);
    if (next === -1) return null;
    const word = wordStart(letter, text, from);
    // The start of a later word is worth more than a letter inside this one.
    const place = next === from || word === -1 ? next : word;
    places.push(place);
    from = place + letter.length;
  }
  return { score: scoreOf(places, text), places };
}

function wordStart(letter: string, text: string, from: number): number {
  for (
    let place = text.indexOf(letter, from);
    place !== -1;
    place = text.indexOf(letter, place + 1)
  ) {
    if (isWordStart(text, place)) return place;
  }
  return -1;
}

function scoreOf(places: readonly number[], text: string): number {
  let score = -text.length / 1_000;
  for (const [index, place] of places.entries()) {
    score += LETTER;
    if (place === 0) score += AT_START;
    if (isWordStart(text, place)) score += AT_WORD_START;
    if (index > 0 && places[index - 1] === place - 1) score += AFTER_ANOTHER;
  }
  return score;
}

function isWordStart(text: string, place: number): boolean {
  return place === 0 || !IN_WORD.test(text[place - 1] ?? '');
}
