/** What a report of a loop's agent left behind, for the rule that ends work without progress. */
import { basename } from 'node:path';
import { SIGNAL_FILE, STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { toolCalls } from '../../agents/records/tool-calls.ts';
import { INDEX_FILES, ownWorktree } from '../../modules/task-module.ts';
import type { RoundTrace } from '../../supervision/no-progress.ts';
import { roundTrace } from '../../supervision/round-trace.ts';
import type { ProjectCheckouts } from '../../worktrees/project-checkouts.ts';
import type { LoopState } from '../machine/loop-state.ts';

/** Written with each report, whether or not anything else was. */
const WRITTEN_ANYWAY = new Set<string>([...INDEX_FILES, SIGNAL_FILE, STOP_FILE]);
/** The calls of some hours; those before it are remembered or long ago. */
const MAX_TRANSCRIPT_BYTES = 1024 * 1024;

/**
 * Null where the project is not under git or the agent keeps no transcript: what cannot be seen is
 * no lack of progress. `transcript` is a path. Throws `git_failed`.
 */
export async function measureReport(
  { taskDir, lastSignal }: LoopState,
  transcript: string | null,
  checkouts: Pick<ProjectCheckouts, 'files'>,
): Promise<RoundTrace | null> {
  if (transcript === null || lastSignal === null) return null;
  const file = readHostileFile(transcript, MAX_TRANSCRIPT_BYTES, 'last_lines');
  if (file.kind !== 'text') return null;
  const worktree = ownWorktree(taskDir);
  const own = await checkouts.files(taskDir);
  const other = worktree === null ? [] : await checkouts.files(worktree);
  if (own === null || other === null) return null;
  const counted = [...own, ...other].filter(({ path }) => !WRITTEN_ANYWAY.has(basename(path)));
  const content = counted.map(({ path, object }) => `${object} ${path}`).join('\n');
  const { step, result, next, checkpoint } = lastSignal;
  const said = `${step} ${result} ${next} ${checkpoint}`;
  return roundTrace(content, [said, ...toolCalls(file.text)]);
}
