/** Compares what was sent to tasks with what their agents received. */
import { basename } from 'node:path';
import type { TaskInputState } from '../../../shared/schema/tasks/task-input.ts';
import type { StandInRun } from '../agents/stand-in-runs.ts';

export interface ReceivedText {
  task: string;
  /** Unique among all texts. */
  words: string;
  /** As acknowledged; null: unknown whether it was accepted. */
  id: string | null;
  /** The answer promised delivery. */
  guaranteed: boolean;
}

/** How often the agent may have received input in that state. */
const TIMES: Record<TaskInputState, readonly number[]> = {
  delivered: [1],
  unknown: [0, 1],
  queued: [0],
  cancelled: [0],
  // At the end nothing is under way.
  sending: [],
};

/** `said` in order, what is stored of it, and all runs; returns the broken promises. */
export function brokenPromises(
  said: readonly ReceivedText[],
  kept: readonly { id: string; text: string; state: TaskInputState }[],
  runs: readonly StandInRun[],
): string[] {
  const broken: string[] = [];
  const newest = new Map<string, number>();
  const stateOf = new Map(kept.map(({ text, state }) => [text, state]));
  for (const { task, words, id, guaranteed } of said) {
    const state = stateOf.get(words);
    const heard = runs.flatMap(({ message }, index) => (message.includes(words) ? [index] : []));
    const report = (what: string) => broken.push(`${task}: “${words}” ${what}`);
    if (id !== null && state === undefined) report('was acknowledged and is not kept');
    if (guaranteed && state === 'queued') report('was promised to be said and waits');
    const times = state === undefined ? [0] : TIMES[state];
    if (!times.includes(heard.length))
      report(`is ${state ?? 'unknown'}, heard ${heard.length} times`);
    for (const index of heard) {
      if (basename(runs[index]?.cwd ?? '') !== task) report('was heard by another task');
      if (index < (newest.get(task) ?? -1)) report('was heard before what was said earlier');
      newest.set(task, index);
    }
  }
  return broken;
}
