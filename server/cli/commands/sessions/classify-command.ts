/** `loopwatch classify`: what recorded screens say about the agent on them. Needs no daemon. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { agentGroup } from '../../../../shared/schema/agents/agent-state.ts';
import { countText } from '../../../../shared/words/count-text.ts';
import { readScreen } from '../../../agents/screen/read-screen.ts';
import { parseScreenInfo, type PlainScreen } from '../../../agents/screen/screen-rows.ts';
import { messageOf } from '../../../lib/app-error.ts';
import { faintLines, plainLines, screenLines } from '../../../terminals/screen-lines.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { notice, printJson } from '../../print/print.ts';

/** Adds the command. */
export function addClassifyCommand(program: Command): void {
  program
    .command('classify')
    .argument(
      '<file...>',
      'plain captures NAME.txt; an optional NAME.info names the foreground process',
    )
    .action(classify);
}

function classify(files: readonly string[]): void {
  let unreadable = 0;
  for (const file of files) {
    try {
      printJson(classifyFile(file));
    } catch (error) {
      unreadable += 1;
      notice(messageOf(error));
    }
  }
  if (unreadable > 0) {
    throw new CliError(
      ExitCode.notFound,
      `${unreadable} of ${countText(files.length, 'file')} could not be read; see the errors above`,
    );
  }
}

function classifyFile(file: string): { file: string; group: string; state: string; cause: string } {
  const text = readFileSync(file, 'utf8');
  const { state, cause } = readScreen({ ...rowsOf(text), ...parseScreenInfo(infoNextTo(file)) });
  return { file, group: agentGroup(state), state, cause };
}

/** Only a capture with colours shows which text of a prompt box is a suggestion. */
function rowsOf(text: string): Pick<PlainScreen, 'rows' | 'faint'> {
  if (!text.includes('\x1b')) return { rows: text.split('\n') };
  const lines = screenLines(text);
  return { rows: plainLines(lines), faint: faintLines(lines) };
}

function infoNextTo(file: string): string {
  try {
    return readFileSync(file.replace(/\.txt$/, '') + '.info', 'utf8');
  } catch {
    return '';
  }
}
