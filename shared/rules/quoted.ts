import { plainText } from './plain-text.ts';

/** Takes text; gives it as one word for a shell: nothing in single quotes means anything but the quote. */
export function quoted(text: string): string {
  return `'${plainText(text).replaceAll("'", "'\\''")}'`;
}
