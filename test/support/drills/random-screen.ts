import type { Random } from '../house/random.ts';

const WORDS = ['plain', 'h\u00e9llo', '\u2500\u2500\u256e', 'a b', '%end 1 2 1', '\\134', '#{pid}'];
/** Only where both emulators are the same: they differ in the rest of one cut in half. */
const WIDE = ['\u4e16\u754c', '\u{1f680}', 'a\u4e16b'];

/** Something a program may draw, ending with default attributes. */
export function randomDrawing(
  random: Random,
  { cols, rows, wide }: { cols: number; rows: number; wide: boolean },
): string {
  const row = () => random.int(1, rows);
  const column = () => random.int(1, cols);
  const text = () => random.pick(WORDS);
  const pen = () => `\x1b[${random.pick(['1', '31', '7', '44', '38;5;208', '48;2;1;2;3', '4'])}m`;
  // Moving or erasing from behind the last column differs between emulators: not the subject here.
  const place = () => `\x1b[${row()};${random.int(1, cols - 1)}H`;
  const draw = random.pick([
    () => text(),
    () => `${pen()}${text()}\x1b[0m`,
    () => `\x1b[${row()};${column()}H${text()}`,
    () => `${place()}\x1b[${random.int(1, 9)}${random.pick(['A', 'B', 'C', 'D', 'E', 'F'])}`,
    () => `${place()}\x1b[${random.int(0, 2)}${random.pick(['J', 'K'])}`,
    () => `${place()}\x1b[${random.int(1, 3)}${random.pick(['P', '@', 'X', 'S', 'T'])}`,
    // tmux stays in its column, others go to the first: what follows is drawn from there.
    () => `${place()}\x1b[${random.int(1, 3)}${random.pick(['L', 'M'])}\r`,
    () => '\r\n',
    () => `${place()}\t`,
    () => `${place()}\b`,
    () => `\r\x1b[2K${text()}\r\n${text()}`,
    () => `\r\n\x1b[2K${wide ? random.pick(WIDE) : text()}\r\n\x1b[2K`,
    () => `${place()}\x1b[${random.int(2, 5)}A${pen()}${text().repeat(30)}\x1b[0m`,
    () => '\x1b]0;title\x07',
    () => '\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\',
    () => `\x1b[?25${random.pick(['h', 'l'])}`,
    () => `${place()}\x1bM`,
  ]);
  return draw();
}
