import { readFileSync } from 'node:fs';
import { messageOf } from '../../lib/app-error.ts';
import { usage } from './command-parts.ts';

/**
 * Takes words as they were typed: themselves, `-` for standard input, or `@FILE`. Gives the words
 * without the last newline. Throws a CliError (usage) when they cannot be read.
 */
export function readWords(given: string): string {
  if (given !== '-' && !given.startsWith('@')) return given;
  const source = given === '-' ? 0 : given.slice(1);
  try {
    return readFileSync(source, 'utf8').replace(/\n$/, '');
  } catch (error) {
    const where = source === 0 ? 'standard input' : `"${source}"`;
    throw usage(`the words cannot be read from ${where}: ${messageOf(error)}`);
  }
}
