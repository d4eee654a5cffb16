/** The parts that sentences about events have in common. */
import type { EventData } from '../../schema/events/events.ts';
import type { WorktreeAction } from '../../schema/tasks/project.ts';
import type { Tone } from '../tone.ts';

export interface EventText {
  text: string;
  tone: Tone;
}

export function sentence(text: string, tone: Tone = 'idle'): EventText {
  return { text, tone };
}

/** A status that only a newer host knows. */
export function newerStatus(label: string): { now: string; tone: Tone } {
  return { now: `is ${label.toLowerCase()}`, tone: 'idle' };
}

/** Older events have no author. */
export function byAuthor({ author }: { author?: string | undefined }): string {
  return author === undefined ? '' : ` by ${author}`;
}

export function because(error: string | null): string {
  return error === null ? '' : ` (${error})`;
}

/** What was done about the full context of a task or run. */
export function contextSentence(
  owner: string,
  { step, percent }: Pick<EventData<'task.context'>, 'step' | 'percent'>,
): string {
  const what =
    step === 'compact'
      ? 'conversation compacted'
      : 'continues in a new conversation with a hand-over';
  return `${owner}: ${what}, ${percent}% of the context was in use`;
}

const WORKTREE_TEXT: Record<WorktreeAction, string> = {
  created: 'created',
  setup_started: 'being set up',
  set_up: 'set up',
  setup_failed: 'not set up',
  removed: 'removed',
  rolled_back: 'rolled back',
};

/** What happened to a worktree of a task or run. */
export function worktreeSentence(
  owner: string,
  { action, branch, backup_ref, detail }: Omit<EventData<'task.worktree'>, 'task'>,
): EventText {
  const kept = backup_ref === null ? '' : `, work kept as ${backup_ref}`;
  const what = detail === undefined ? `branch ${branch}${kept}` : detail;
  const text = `Worktree of ${owner} ${WORKTREE_TEXT[action]}: ${what}`;
  return sentence(text, action === 'setup_failed' ? 'fail' : 'idle');
}
