/** Recorded screens of real clients, as `test/fixtures/screens` holds them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScreenInfo } from '../../server/agents/screen/screen-info.ts';
import type { PlainScreen } from '../../server/agents/screen/screen-rows.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

export const SCREENS = join(packageRoot(), 'test/fixtures/screens');

/** Names of all recorded screens, without their ending. */
export const SCREEN_NAMES = readdirSync(SCREENS)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => file.slice(0, -'.txt'.length));

/** Takes a name; gives the screen. */
export function recordedScreen(name: string): PlainScreen {
  const rows = readFileSync(join(SCREENS, `${name}.txt`), 'utf8').split('\n');
  return { rows, ...parseScreenInfo(readFileSync(join(SCREENS, `${name}.info`), 'utf8')) };
}

/** Takes a screen and a width; gives it with every row cut there. */
export function cutTo(columns: number, screen: PlainScreen): PlainScreen {
  return { ...screen, rows: screen.rows.map((row) => row.slice(0, columns)) };
}

/** Takes a screen, rows and a place; gives it with the rows put in there. */
export function withRows(
  screen: PlainScreen,
  inserted: readonly string[],
  at: number,
): PlainScreen {
  const rows = [...screen.rows.slice(0, at), ...inserted, ...screen.rows.slice(at)];
  if (screen.cursor === null) return { ...screen, rows };
  const [row, column] = screen.cursor;
  return { ...screen, rows, cursor: [row >= at ? row + inserted.length : row, column] };
}
