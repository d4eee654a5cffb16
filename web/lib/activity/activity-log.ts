/** What is known of an agent's calls: pages joined, and what follows from them. Pure. */
import type {
  AgentStep,
  SessionActivity,
  StepResult,
} from '$shared/schema/agents/session-activity.ts';

export interface ActivityLog {
  readonly status: SessionActivity['status'];
  readonly conversation: string | null;
  /** Oldest first, without gaps. */
  readonly steps: readonly AgentStep[];
  readonly results: ReadonlyMap<string, StepResult>;
  readonly older: string | null;
  readonly newer: string | null;
}

export interface TouchedFile {
  path: string;
  isChanged: boolean;
  calls: number;
}

export interface Todo {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** Kept while new ones arrive: the oldest are then read again on request. */
const MOST_STEPS = 1_000;
const KEPT_STEPS = 800;

/** The newest page, or one of another transcript. */
export function firstLog(answer: SessionActivity): ActivityLog {
  const { status, conversation, steps, older, newer } = answer;
  return { status, conversation, steps, results: mapOf(answer.results), older, newer };
}

/** `after`: it was asked for what was appended, else for what is before. */
export function joinLog(log: ActivityLog, answer: SessionActivity, after: boolean): ActivityLog {
  const { status, conversation, steps, results, is_continued: isContinued } = answer;
  // What was shown stays, with the word that its source is gone.
  if (status !== 'shown') return { ...log, status };
  if (!isContinued || conversation !== log.conversation) return firstLog(answer);
  const known = new Set(log.steps.map(({ id }) => id));
  const fresh = steps.filter(({ id }) => !known.has(id));
  const all = new Map([...log.results, ...mapOf(results)]);
  if (!after) {
    return { ...log, status, steps: [...fresh, ...log.steps], results: all, older: answer.older };
  }
  const joined = [...log.steps, ...fresh];
  const next = { ...log, status, results: all, newer: answer.newer };
  if (joined.length <= MOST_STEPS) return { ...next, steps: joined };
  return { ...next, steps: joined.slice(-KEPT_STEPS), older: null };
}

/** Those that were changed first, then by their last call. */
export function touchedFiles({ steps }: Pick<ActivityLog, 'steps'>): TouchedFile[] {
  const files = new Map<string, TouchedFile>();
  for (const { file, changes } of steps) {
    if (file === null) continue;
    const known = files.get(file);
    files.delete(file);
    const isChanged = changes || known?.isChanged === true;
    files.set(file, { path: file, isChanged, calls: (known?.calls ?? 0) + 1 });
  }
  const newest = [...files.values()].reverse();
  return [...newest.filter((each) => each.isChanged), ...newest.filter((each) => !each.isChanged)];
}

/** Its own list as it is now. A step whose creation is not read yet is named by its number. */
export function currentTodos({ steps, results }: ActivityLog): Todo[] {
  let todos = new Map<string, Todo>();
  for (const step of steps) {
    if (step.is_by_subagent) continue;
    if (step.todos !== null) {
      todos = new Map(step.todos.map((todo, n) => [String(n), todo]));
    }
    if (step.todo === null) continue;
    const { text, status } = step.todo;
    const id = step.todo.id ?? results.get(step.id)?.todo ?? step.id;
    const known = todos.get(id);
    todos.set(id, {
      text: text ?? known?.text ?? `Step ${id}`,
      status: status ?? known?.status ?? 'pending',
    });
  }
  return [...todos.values()];
}

/** Newest first. */
export function subagents({ steps }: Pick<ActivityLog, 'steps'>): AgentStep[] {
  return steps.filter(({ subagent }) => subagent !== null).reverse();
}

/** `unknown`: it has no result although later calls have one. */
export function stepState(
  { results, steps }: ActivityLog,
  { id }: AgentStep,
): 'done' | 'failed' | 'open' | 'unknown' {
  const result = results.get(id);
  if (result !== undefined) return result.failed ? 'failed' : 'done';
  // It was interrupted.
  const at = steps.findIndex((step) => step.id === id);
  const isLate = steps.slice(at + 1).some((step) => results.has(step.id));
  return isLate ? 'unknown' : 'open';
}

function mapOf(results: readonly StepResult[]): Map<string, StepResult> {
  return new Map(results.map((result) => [result.id, result]));
}
