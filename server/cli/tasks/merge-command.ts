/** `loopwatch task merge`: previews or makes a merge of a task into a local branch. */
import type { Command } from 'commander';
import { z } from 'zod';
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import { MergeCheck, type TaskMergePreview } from '../../../shared/schema/tasks/project.ts';
import { RefusedError, request } from '../client.ts';
import { parseTaskName } from '../command-parts.ts';
import { type Output, printOne } from '../print/output.ts';
import { noticeRaw } from '../print/print.ts';

interface MergeOptions extends Output {
  into: string;
  squash?: boolean;
  message?: string;
  repository?: string;
  preview?: boolean;
}

const MAX_LINE = 200;
const ID_LENGTH = 10;
const Failed = z.object({ checks: z.array(MergeCheck) });

export function addMergeCommand(task: Command): void {
  task
    .command('merge')
    .description(
      'merge the work of a task into a local branch, after its checks pass on the result',
    )
    .argument('<task>', '', parseTaskName)
    .requiredOption('--into <branch>', 'branch to merge into')
    .option('--squash', 'as one commit')
    .option('--message <text>', 'message of the commit (default: names the task)')
    .option('--repository <path>', 'for a task that works in several: the one to merge in')
    .option('--preview', 'only show commits, files, conflicts and checks; changes nothing')
    .option('--json', 'output as JSON')
    .action(async (name: string, options: MergeOptions) => {
      const { into, message, repository } = options;
      const place = { into, ...(repository === undefined ? {} : { repository }) };
      if (options.preview === true) {
        const preview = await request('previewTaskMerge', { params: { name }, query: place });
        return printOne(preview, options, () => previewLines(preview));
      }
      const text = message === undefined ? {} : { message };
      const body = { ...place, ...text, squash: options.squash === true };
      const merged = await request('mergeTask', { params: { name }, body }).catch(showChecks);
      printOne(merged, options, () => [
        ...checkLines(merged.checks),
        `${name}: merged into ${plainText(into)} as ${merged.commit.slice(0, ID_LENGTH)}`,
      ]);
    });
}

function previewLines(preview: TaskMergePreview): string[] {
  const { task_name, branch, into, commits, files, conflicts, uncommitted, checks } = preview;
  const line = (text: string) => oneLine(text, MAX_LINE);
  return [
    `${task_name}: ${line(branch)} into ${line(into)}: commits ${commits}, files ${files}`,
    ...(uncommitted === 0 ? [] : [`  uncommitted files, committed before a merge: ${uncommitted}`]),
    ...conflicts.map((path) => `  conflict: ${line(path)}`),
    ...(checks.length === 0 ? ['  no checks run on the result'] : []),
    ...checks.map((check) => `  check: ${line(check)}`),
  ];
}

function checkLines(checks: readonly MergeCheck[]): string[] {
  return checks.flatMap(({ name, status, output }) => {
    const text = plainText(output).trimEnd();
    const lines = text === '' ? [] : text.split('\n').map((line) => `    ${line}`);
    return [`  ${status}: ${oneLine(name, MAX_LINE)}`, ...lines];
  });
}

/** Before the refusal itself: what the checks printed. */
function showChecks(error: unknown): never {
  const failed = error instanceof RefusedError ? Failed.safeParse(error.details) : null;
  if (failed?.success === true) {
    const lines = checkLines(failed.data.checks);
    noticeRaw(lines.map((line) => `${line}\n`).join(''));
  }
  throw error;
}
