/** `loopwatch screen`: what a terminal shows now, as text. */
import type { Command } from 'commander';
import { request } from './client.ts';

interface ScreenOptions {
  ansi?: boolean;
  json?: boolean;
  scrollback?: string;
}

/** Rows may hold colour codes and nothing else; without `--ansi` these are cut. */
// eslint-disable-next-line no-control-regex -- the escape that starts each code
const SGR = /\x1b\[[0-9:;]*m/g;

export function addScreenCommand(program: Command): void {
  program
    .command('screen')
    .description('print what a session shows')
    .argument('<session>')
    .option('--ansi', 'with colours')
    .option('--json', 'as JSON')
    .option('--scrollback <rows>', 'so many rows that scrolled off, too')
    .action(screen);
}

async function screen(session: string, options: ScreenOptions): Promise<void> {
  const params = { id: session };
  const lines = options.scrollback;
  const above =
    lines === undefined ? null : await request('getScrollback', { params, query: { lines } });
  const shown = await request('getScreen', { params });
  const text =
    options.json === true
      ? JSON.stringify(above === null ? shown : { ...shown, scrollback: above.lines })
      : rows([...(above?.lines ?? []), ...shown.lines], options.ansi);
  process.stdout.write(`${text}\n`);
}

function rows(lines: readonly string[], ansi = false): string {
  const text = lines.map((line) => (ansi ? line : line.replaceAll(SGR, '').trimEnd())).join('\n');
  return text.replace(/\n+$/, '');
}
