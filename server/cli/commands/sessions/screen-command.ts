/** `loopwatch session screen`: what a terminal shows, or showed at some time, as text. */
import type { Command } from 'commander';
import { request } from '../../client.ts';
import { wholeNumber } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { pastMoment } from '../../past-moment.ts';
import { noticeRaw, print } from '../../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

interface ScreenOptions extends Zoned {
  ansi?: boolean;
  json?: boolean;
  scrollback?: number;
  at?: string;
}

/** Rows may hold colour codes and nothing else; without `--ansi` these are cut. */
// eslint-disable-next-line no-control-regex -- the escape that starts each code
const SGR = /\x1b\[[0-9:;]*m/g;

export function addScreenCommand(program: Command): void {
  program
    .command('screen')
    .description('print the screen of a session')
    .argument('<session>')
    .option('--ansi', 'keep colours')
    .option('--json', 'output as JSON')
    .option(
      '--at <time>',
      'show a past screen: ISO 8601, HH:MM[:SS] of today, or a snapshot number',
    )
    .option('--scrollback <rows>', 'include this many rows of scrollback', wholeNumber(1, 1_000))
    .addOption(UTC_OPTION)
    .action(screen);
}

/** `loopwatch session peek`: the same for a session that Loopwatch did not start. */
export function addPeekCommand(program: Command): void {
  program
    .command('peek')
    .description(
      'print what a session started without Loopwatch shows, in your tmux or the background',
    )
    .argument('<pid>', 'as in: loopwatch session ls --all')
    .option('--ansi', 'keep colours')
    .option('--json', 'output as JSON')
    .action(async (pid: string, { ansi, json }: Pick<ScreenOptions, 'ansi' | 'json'>) => {
      const { sessions } = await request('listFound', {});
      // An unknown one is refused by the daemon, with the next step.
      const id = sessions.find((session) => String(session.pid) === pid)?.id ?? 'none';
      const shown = await request('getFoundScreen', { params: { id } });
      print(json === true ? JSON.stringify(shown) : rows(shown.lines, ansi));
    });
}

async function screen(session: string, options: ScreenOptions): Promise<void> {
  const params = { id: session };
  if (options.at !== undefined && options.scrollback !== undefined) {
    throw new CliError(
      ExitCode.usage,
      '--at cannot be combined with --scrollback; past scrollback is not kept',
    );
  }
  const above =
    options.scrollback === undefined
      ? null
      : await request('getScrollback', { params, query: { lines: String(options.scrollback) } });
  const shown = await (options.at === undefined
    ? request('getScreen', { params })
    : request('getPastScreen', { params: { ...params, at: pastMoment(options.at, options) } }));
  const text =
    options.json === true
      ? JSON.stringify(above === null ? shown : { ...shown, scrollback: above.lines })
      : rows([...(above?.lines ?? []), ...shown.lines], options.ansi);
  // Not in the text: it may go into a file.
  if (options.at !== undefined) noticeRaw(`screen at ${timeIn(options)(shown.at)}\n`);
  print(text);
}

function rows(lines: readonly string[], ansi = false): string {
  const text = lines.map((line) => (ansi ? line : line.replaceAll(SGR, '').trimEnd())).join('\n');
  return text.replace(/\n+$/, '');
}
