/** The screens of `test/fixtures/stall-screens`; its README describes the format. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainScreen } from '../../../server/agents/screen/screen-rows.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { drawScreen } from './draw-screen.ts';

const FOLDER = join(packageRoot(), 'test/fixtures/stall-screens');

export const WIDTHS = [40, 80, 120, 200] as const;

export interface StallScreen {
  name: string;
  /** State and cause as they are read, or '-' where they do not matter. */
  state: string;
  /** The kind of prompt; null for none. */
  prompt: string | null;
  bare: boolean;
  draw: (columns: number) => PlainScreen;
}

/** All screens, by file name without extension. */
export const STALL_SCREENS: Record<string, StallScreen[]> = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => [file.slice(0, -'.txt'.length), readScreens(file)]),
);

function readScreens(file: string): StallScreen[] {
  const parts = readFileSync(join(FOLDER, file), 'utf8').split(/^=== /m);
  return parts.slice(1).map((part) => {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const keys = lines.filter((line) => line.startsWith('@ ')).map((line) => line.slice(2));
    const options = new Map(keys.map((key) => key.split(': ') as [string, string]));
    const rows = lines.filter((line) => !line.startsWith('@ '));
    return {
      name,
      state: options.get('state') ?? 'ready none',
      prompt: options.get('prompt') ?? null,
      bare: options.has('bare'),
      draw: (columns) =>
        options.has('bare') ? bare(rows, options, columns) : boxed(rows, options, columns),
    };
  });
}

function boxed(rows: string[], options: Map<string, string>, columns: number): PlainScreen {
  const prompted = /^[❯>!] /.test(rows[0] ?? '') ? rows : ['❯ look at it', '', ...rows];
  const ended = options.has('open') ? [] : ['', '✻ Baked for 3s · done 12:24 PM'];
  const footer = options.get('footer');
  const mark = options.get('mark');
  const screen = drawScreen({
    columns,
    above: [...prompted, ...ended],
    draft: (options.get('draft') ?? '').replace('{blank}', '   '),
    ...(mark === undefined ? {} : { mark }),
    ...(footer === undefined ? {} : { footer: [footer] }),
  });
  const [row] = screen.cursor ?? [0];
  return options.get('cursor') === 'start' ? { ...screen, cursor: [row, 2] } : screen;
}

/** Without a box the terminal itself wraps, wherever a row is full. */
function bare(rows: string[], options: Map<string, string>, columns: number): PlainScreen {
  const wrapped = rows.flatMap((row) => row.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? ['']);
  const last = wrapped.length - 1;
  const end = (wrapped[last] ?? '').length;
  const places: Record<string, [number, number]> = {
    behind: [last, end],
    blank: [last, end + 1],
    below: [last + 1, 0],
    hidden: [0, 0],
  };
  const place = options.get('bare') ?? '';
  const cursor = places[place] ?? (place.split(',').map(Number) as [number, number]);
  return { rows: wrapped, cursor, program: options.get('program') ?? 'claude' };
}
