import { plainText } from './plain-text.ts';

/** One shell word: inside single quotes only the quote itself is special. */
export function quoted(text: string): string {
  return `'${plainText(text).replaceAll("'", "'\\''")}'`;
}
