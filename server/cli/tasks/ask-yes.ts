import { createInterface } from 'node:readline/promises';
import { CliError, ExitCode } from '../exit-code.ts';

/**
 * Takes what is about to happen and whether `--yes` was given; asks on the terminal. Throws a
 * CliError when nobody can be asked (usage) or the answer is not yes (failed): nothing was done.
 */
export async function askYes(about: readonly string[], isSaid: boolean): Promise<void> {
  process.stderr.write(about.map((line) => `${line}\n`).join(''));
  if (isSaid) return;
  if (!process.stdin.isTTY) {
    throw new CliError(ExitCode.usage, 'nothing was done; say it again with --yes to do that');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Do that? [y/N] ');
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new CliError(ExitCode.failed, 'nothing was done');
}
