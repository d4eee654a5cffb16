/** `loopwatch task clear|delete|delete-worktree`: each first says what happens to the work. */
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { RefusedError, request } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { type Json, parseTaskName } from '../command-parts.ts';
import { removalLines } from './print-work.ts';
import { noticeRaw, print, printJson } from '../print/print.ts';

interface Removal extends Json {
  yes?: boolean;
}

export function addRemovalCommands(task: Command): void {
  task
    .command('clear')
    .description('discard the conversation, keep the work under a backup ref and restart')
    .argument('<task>', '', parseTaskName)
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'output as JSON')
    .action(async (name: string, { yes, json }: Removal) => {
      const head = `${name}: discards the conversation and restarts the task.`;
      await askYes([head, ...(await workLines(name))], yes === true);
      const done = await request('clearAndRestartTask', { params: { name } });
      if (json === true) return printJson(done);
      print([`${name}: ${done.status}`, ...indented(done.git_cleanup)]);
    });

  task
    .command('delete')
    .description(
      'remove a task; its work is committed and kept, under a backup ref if no other branch has it',
    )
    .argument('<task>', '', parseTaskName)
    .option('--keep-worktree', 'keep its worktrees')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'output as JSON')
    .action(async (name: string, options: Removal & { keepWorktree?: boolean }) => {
      const isKept = options.keepWorktree === true;
      const work = isKept ? ['  Keeps its worktrees.'] : await workLines(name);
      const head = `${name}: stops it and removes the task and its conversation.`;
      await askYes([head, ...work], options.yes === true);
      const query = { cleanup_worktree: String(!isKept) };
      const done = await request('deleteTask', { params: { name }, query });
      if (options.json === true) return printJson(done);
      print([`${name}: removed`, ...indented(done.worktree_cleanup ?? [])]);
    });

  task
    .command('delete-worktree')
    .description('remove the worktrees of a task but keep the task')
    .argument('<task>', '', parseTaskName)
    .option('--stop', 'stop the task first')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'output as JSON')
    .action(async (name: string, { stop, yes, json }: Removal & { stop?: boolean }) => {
      const head = `${name}: removes its worktrees and keeps the task.`;
      await askYes([head, ...(await workLines(name))], yes === true);
      const query = { auto_stop: String(stop === true) };
      const done = await request('deleteWorktree', { params: { name }, query });
      if (json === true) return printJson(done);
      print([`${name}: worktrees removed`, ...indented(done.git_cleanup)]);
    });
}

/** A repository that cannot be asked must not make its task one that cannot be removed. */
async function workLines(name: string): Promise<string[]> {
  try {
    const { worktrees } = await request('getWorktree', { params: { name } });
    return worktrees.length === 0 ? ['  No worktree.'] : removalLines(worktrees);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'git_failed') throw error;
    return [`  Cannot determine what happens to its work: ${plainText(error.message)}`];
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${plainText(line)}`);
}

/**
 * Shows what is about to happen and asks on the terminal, unless `--yes` was given. Throws a CliError
 * when there is no terminal (usage) or the answer is not yes (failed): nothing was done.
 */
async function askYes(about: readonly string[], isSaid: boolean): Promise<void> {
  noticeRaw(about.map((line) => `${line}\n`).join(''));
  if (isSaid) return;
  if (!process.stdin.isTTY) {
    throw new CliError(ExitCode.usage, 'nothing done; re-run with --yes to confirm');
  }
  if (/^y(es)?$/i.test((await ask('Continue? [y/N] ')).trim())) return;
  throw new CliError(ExitCode.failed, 'nothing done');
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
