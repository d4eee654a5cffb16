/** The work of a task so far, as the host finds it: for an agent that takes it over. */
import { basename } from 'node:path';
import { cut } from '../../../shared/rules/text/plain-text.ts';
import { messageOf } from '../../lib/app-error.ts';
import { blockQuote } from '../../turns/block-quote.ts';
import { changedFiles } from '../../worktrees/reading/changed-files.ts';
import type { Worktree } from '../../worktrees/worktrees.ts';
import type { EffectOptions } from './task-supervisor-options.ts';

/** Of one worktree, in characters. */
const FILES_LENGTH = 6_000;

/** '' without a worktree, and where git fails: the agent can see for itself. */
export async function workDone(options: EffectOptions): Promise<string> {
  const { worktrees, testCases, logger, record } = options;
  const { id, name } = record();
  try {
    const parts: string[] = [];
    for (const own of worktrees.of(id)) parts.push(await changesOf(options, own));
    const checks = testCases.of(id).map((check) => `- ${check.name}: ${check.status}`);
    if (checks.length > 0) parts.push(`Checks that the host ran last:\n${checks.join('\n')}`);
    return parts.join('\n\n');
  } catch (error) {
    logger.warn({ err: messageOf(error), task: name }, 'cannot read the work of a task');
    return '';
  }
}

async function changesOf({ worktrees }: EffectOptions, own: Worktree): Promise<string> {
  const diff = await worktrees.diff(own);
  const { unmerged_commits: commits, dirty_count: dirty } = await worktrees.inspect(own);
  const many = commits === 1 ? '1 commit' : `${commits} commits`;
  const left = dirty === 0 ? '' : ', and work that is not committed';
  const where = `In ${basename(own.repository)}, since \`${own.base}\`: ${many}${left}.`;
  const files = cut(changedFiles(diff), FILES_LENGTH);
  return files === '' ? `${where} No file differs.` : `${where}\n${blockQuote(files)}`;
}
