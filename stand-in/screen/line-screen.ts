import type { Screen } from './screen.ts';
import { withoutStyle } from '../style.ts';

// Wide enough that no line of a scenario wraps in a log file.
const COLUMNS = 1000;

/** The screen of a client without a terminal: the transcript only, line by line. */
export class LineScreen implements Screen {
  print(compose: (columns: number) => readonly string[]): void {
    for (const row of compose(COLUMNS)) process.stdout.write(`${withoutStyle(row)}\n`);
  }

  clear(): void {
    // What was written stays written.
  }

  refresh(): void {
    // Nothing moves without a terminal.
  }

  close(): void {
    // Nothing to restore.
  }
}
