/** Recorded screens of real clients from `test/fixtures/screens`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScreenInfo, type PlainScreen } from '../../../server/agents/screen/screen-rows.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { faintLines, screenLines } from '../../../server/terminals/screen-lines.ts';

export const SCREENS = join(packageRoot(), 'test/fixtures/screens');

/** Names of all recorded screens, without extension. */
export const SCREEN_NAMES = readdirSync(SCREENS)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => file.slice(0, -'.txt'.length));

export function recordedScreen(name: string): PlainScreen {
  const rows = readFileSync(join(SCREENS, `${name}.txt`), 'utf8').split('\n');
  const info = parseScreenInfo(readFileSync(join(SCREENS, `${name}.info`), 'utf8'));
  const coloured = join(SCREENS, `${name}.ansi`);
  if (!existsSync(coloured)) return { rows, ...info };
  return { rows, faint: faintLines(screenLines(readFileSync(coloured, 'utf8'))), ...info };
}

/** Every row cut at this width. */
export function cutTo(columns: number, screen: PlainScreen): PlainScreen {
  const cut = (rows: readonly string[]) => rows.map((row) => row.slice(0, columns));
  const { rows, faint = null } = screen;
  return { ...screen, rows: cut(rows), faint: faint === null ? null : cut(faint) };
}

/** The screen with rows inserted. */
export function withRows(
  screen: PlainScreen,
  inserted: readonly string[],
  at: number,
): PlainScreen {
  const into = (rows: readonly string[], added: readonly string[]) => [
    ...rows.slice(0, at),
    ...added,
    ...rows.slice(at),
  ];
  const { faint = null } = screen;
  const drawn: PlainScreen = {
    ...screen,
    rows: into(screen.rows, inserted),
    faint: faint === null ? null : into(faint, Array<string>(inserted.length).fill('')),
  };
  if (screen.cursor === null) return drawn;
  const [row, column] = screen.cursor;
  return { ...drawn, cursor: [row >= at ? row + inserted.length : row, column] };
}
