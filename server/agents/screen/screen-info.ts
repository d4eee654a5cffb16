/** The line beside a captured screen: `cmd=claude title=… dead=0 cursor=2,36 flag=0 …`. */
import type { PlainScreen } from './screen-rows.ts';

/** Takes the line, '' when there is none; gives what it says of the screen besides its rows. */
export function parseScreenInfo(line: string): Omit<PlainScreen, 'rows'> {
  const words = line.slice(0, 4096);
  const program = /^cmd=(\S*)/.exec(words)?.[1];
  // The title is the program's own text: what stands behind it comes last.
  const [, dead, column, row] =
    [...words.matchAll(/(?: dead=([01]))? cursor=(\d{1,5}),(\d{1,5}) flag=/g)].at(-1) ?? [];
  return {
    program: program === undefined || program === '' ? 'claude' : program,
    cursor: row === undefined ? null : [Number(row), Number(column)],
    ended: dead === '1',
  };
}
