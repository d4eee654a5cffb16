/** The form of a new task as a task that exists fills it in. Pure. */
import { copyName } from '$shared/rules/work/suggest-name.ts';
import { oneLine } from '$shared/rules/text/plain-text.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { Tone } from '$shared/words/tone.ts';
import { copiedFor, emptyValues, type OtherProject, type TaskValues } from './task-values.ts';

/** A form that others filled in: its note says by what. */
export interface TaskPrefill {
  values: TaskValues;
  note: string;
  tone: Tone;
}

/** Of a context; the row has room for a line. */
const LONGEST_CONTEXT = 120;

/** All that a clone of the task would have, under a free name; it starts as any new task does. */
export function prefillFromTask(task: Task, taken: readonly string[]): TaskPrefill {
  const { end_criteria_config: end } = task;
  const commands = end.test_commands ?? [];
  const values: TaskValues = {
    ...emptyValues(),
    typedName: copyName(task.task_name, taken),
    description: task.description,
    rootFolder: task.root_folder,
    baseBranch: task.base_branch ?? '',
    useWorktree: task.use_worktree,
    others: othersOf(task),
    criteria: end.criteria ?? '',
    context: task.project_context,
    maxIterations: end.max_iterations,
    maxTokens: end.max_tokens,
    maxCost: end.max_cost_usd,
    maxMinutes: end.max_minutes,
    maxUnchangedTurns: end.max_unchanged_turns ?? null,
    gates: end.gates.map((gate) => ({ ...gate })),
    tests: end.test_commands === null ? 'found' : commands.length === 0 ? 'none' : 'own',
    testCommands: commands.join('\n'),
    priority: task.priority,
    dependsOn: [...task.depends_on],
    permissionMode: task.permission_mode,
  };
  return { values, note: `Filled in from ${task.task_name}.${linesText(end)}`, tone: 'idle' };
}

/** The fields of commands have one line for each. */
function linesText({ gates, test_commands: tests }: Task['end_criteria_config']): string {
  const hasLines = (command: string) => command.includes('\n');
  const test = ' A test command has several lines: here each line is its own command.';
  const gate = ' A gate has several lines, shown here as one.';
  return (
    ((tests ?? []).some(hasLines) ? test : '') +
    (gates.some(({ command }) => hasLines(command)) ? gate : '')
  );
}

/** What this project keeps from the copied task, or ''. */
export function copiedText(other: OtherProject): string {
  const { base_branch: base, context = '' } = copiedFor(other) ?? {};
  const parts: string[] = [];
  if (base !== undefined) parts.push(`From ${base}.`);
  if (context !== '') parts.push(`Context: ${oneLine(context, LONGEST_CONTEXT)}`);
  return parts.join(' ');
}

/** Without the root of a task that works only there. */
function othersOf({ projects, root_folder, project_context }: Task): OtherProject[] {
  const [only] = projects;
  const isRoot = only?.path === root_folder && only.context === project_context;
  if (projects.length === 1 && isRoot) return [];
  return projects.map(({ worktree_path: _, branch_name: __, ...copied }) => ({
    path: copied.path,
    access: copied.access,
    copied,
  }));
}
