/** Tasks for a person. Text of an agent or a person never reaches the terminal raw. */
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { oneLine, plainText } from '../../../shared/rules/plain-text.ts';
import { REASON_TEXT } from '../../../shared/words/reason-text.ts';
import type { Task, TestCase } from '../../../shared/schema/tasks/task.ts';
import { TASK_ACTIONS, type TaskAction, takesAction } from '../../../shared/rules/task-actions.ts';
import { taskNextStep } from '../../../shared/words/task-next-step.ts';
import { tableLines } from '../print/table.ts';
import type { TimeText } from '../print/time-text.ts';

const MAX_LINE = 200;
const MAX_DESCRIPTION = 60;
const MAX_OUTPUT_LINES = 15;

const HEAD = ['task', 'status', 'why', 'turns', 'tokens', 'cost', 'description'];

export function taskTable(tasks: readonly Task[]): string[] {
  return tableLines(HEAD, tasks.map(cells));
}

/** Status, reason, usage, and what can be done now. */
export function taskLines(task: Task, time: TimeText): string[] {
  const { task_name, description, summary, error_message, root_folder, reason } = task;
  return [
    `${task_name}  ${standing(task)}`,
    ...field('does', description),
    ...field('in', placeText(task, root_folder)),
    ...field('used', usedText(task)),
    ...field('after', task.depends_on.join(', ')),
    ...field('says', summary),
    ...field('error', error_message),
    ...field('proof', proofText(task)),
    ...field('waits', waitText(task, time)),
    ...(reason === null ? [] : field('next', taskNextStep(reason))),
    ...actionLines(task),
  ];
}

/** Each result with the end of the output. */
export function testLines(tests: readonly TestCase[]): string[] {
  if (tests.length === 0) return ['no tests run yet'];
  return tests.flatMap(
    ({ type, name, command, status, exit_code, duration_ms, commit, output }) => {
      const code = exit_code === null ? '' : `, exit code ${exit_code}`;
      const took = duration_ms === null ? '' : `, ${formatDuration(duration_ms / 1000)}`;
      const of = commit === null ? '' : `, at ${commit.slice(0, 10)}`;
      const what = type === 'gate' ? 'gate' : 'tests';
      return [
        `${status}  ${what} ${oneLine(name, MAX_LINE)}${code}${took}${of}`,
        `  $ ${oneLine(command, MAX_LINE)}`,
        ...(status === 'failed' ? lastLines(output) : []),
      ];
    },
  );
}

function standing({ status, outcome, reason, queue_position }: Task): string {
  const why = reason === null ? '' : `, ${REASON_TEXT[reason].label}`;
  const proof = outcome === null ? '' : ', criteria met';
  const place = queue_position === null ? '' : `, #${queue_position} in the queue`;
  return `${status}${why}${reason === 'criteria_met' ? '' : proof}${place}`;
}

function cells(task: Task): string[] {
  const { task_name, status, wait, iterations, total_tokens_used, total_cost_usd } = task;
  // A wait says more than the reason of an earlier stop.
  const reason = wait?.reason ?? task.reason;
  return [
    oneLine(task_name, MAX_LINE),
    status,
    reason === null ? '-' : REASON_TEXT[reason].label,
    `${iterations}/${task.end_criteria_config.max_iterations}`,
    String(total_tokens_used),
    total_cost_usd === 0 ? '-' : `$${total_cost_usd.toFixed(2)}`,
    oneLine(task.description, MAX_DESCRIPTION),
  ];
}

function field(name: string, text: string | null): string[] {
  return text === null || text === '' ? [] : [`  ${name.padEnd(5)}  ${oneLine(text, MAX_LINE)}`];
}

function placeText({ worktree_path, branch_name }: Task, root: string): string {
  return `${worktree_path ?? root}${branch_name === null ? '' : `, branch ${branch_name}`}`;
}

function usedText(task: Task): string {
  const { max_iterations, max_tokens, max_cost_usd, max_minutes } = task.end_criteria_config;
  const minutes = max_minutes === null ? '' : ` of ${formatDuration(max_minutes * 60)}`;
  return [
    `${task.iterations} of ${max_iterations} turns`,
    `${task.total_tokens_used}${max_tokens === null ? '' : ` of ${max_tokens}`} tokens`,
    `$${task.total_cost_usd.toFixed(2)}${max_cost_usd === null ? '' : ` of $${max_cost_usd}`}`,
    `${formatDuration(task.active_seconds)}${minutes} of work`,
  ].join(', ');
}

function proofText({ completion }: Task): string | null {
  if (completion === null) return null;
  const { proof, commit, claim } = completion;
  const of = commit === null ? '' : ` (${commit.slice(0, 10)})`;
  return `${proof}${of}${claim === null ? '' : `: ${claim}`}`;
}

function waitText({ wait }: Task, time: TimeText): string | null {
  if (wait === null) return null;
  const until = wait.until === null ? '' : ` until ${time(wait.until)}`;
  return `${REASON_TEXT[wait.reason].label}${until}: ${wait.next}`;
}

function actionLines({ task_name, status, interaction_count }: Task): string[] {
  const actions = (Object.keys(TASK_ACTIONS) as TaskAction[]).filter((action) =>
    takesAction(action, status),
  );
  const verbs = [...actions, ...(interaction_count === 0 ? [] : ['log']), 'say', 'diff'];
  const texts: Record<string, string> = { say: ' TEXT' };
  return [
    '  you can:',
    ...verbs.map((verb) => `    loopwatch task ${verb} ${task_name}${texts[verb] ?? ''}`),
  ];
}

function lastLines(output: string): string[] {
  const lines = plainText(output).trimEnd().split('\n');
  const shown = lines.slice(-MAX_OUTPUT_LINES);
  const left = lines.length - shown.length;
  return [
    ...(left === 0 ? [] : [`    … ${countText(left, 'earlier line')}`]),
    ...shown.map((line) => `    ${line}`),
  ];
}
