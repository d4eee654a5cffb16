import { capitalized } from '../rules/text/capitalized.ts';
import { codeWords } from '../rules/text/code-words.ts';

/**
 * What a table has for a word that a host said. A newer host may say one that is not in it: then it
 * is `other` of that word, as a label.
 */
export function entryFor<Word extends string, Entry>(
  table: Readonly<Record<Word, Entry>>,
  word: Word,
  other: (label: string) => NoInfer<Entry>,
): Entry {
  return Object.hasOwn(table, word) ? table[word] : other(capitalized(codeWords(word)));
}
