import { createInterface } from 'node:readline';
import { noticeRaw } from '../print.ts';
import { CliError, ExitCode } from '../exit-code.ts';

/**
 * Takes what is about to happen and whether `--yes` was given; asks on the terminal. Throws a
 * CliError when nobody can be asked (usage) or the answer is not yes (failed): nothing was done.
 */
export async function askYes(about: readonly string[], isSaid: boolean): Promise<void> {
  noticeRaw(about.map((line) => `${line}\n`).join(''));
  if (isSaid) return;
  if (!process.stdin.isTTY) {
    throw new CliError(ExitCode.usage, 'nothing was done; say it again with --yes to do that');
  }
  if (/^y(es)?$/i.test((await ask('Do that? [y/N] ')).trim())) return;
  throw new CliError(ExitCode.failed, 'nothing was done');
}

/** Ctrl-C and Ctrl-D close the line without an answer, which is none. */
async function ask(question: string): Promise<string> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    line.once('close', () => resolve(''));
    line.question(question, (answer) => {
      resolve(answer);
      line.close();
    });
  });
}
