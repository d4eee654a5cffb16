/** Tasks for a person. Text of an agent or a person never reaches the terminal raw. */
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import type { Completion, Task, TestCase } from '../../../shared/schema/tasks/task.ts';
import {
  TASK_ACTIONS,
  type TaskAction,
  takesAction,
} from '../../../shared/rules/work/task-actions.ts';
import { taskNextStep } from '../../../shared/words/work/task-next-step.ts';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { askedPlaceText, judgedHostText } from '../../../shared/words/work/placement-text.ts';
import { tableLines } from '../print/table.ts';
import type { TimeText } from '../print/time-text.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { PROOF_LABEL } from '../../../shared/words/work/report-text.ts';

const MAX_LINE = 200;
const MAX_DESCRIPTION = 60;
const MAX_CRITERIA = 120;
/** As wide as the longest name of a field. */
const LABEL = 'starts after'.length;

const HEAD = ['task', 'status', 'why', 'turns', 'tokens', 'cost', 'description'];
/** Of a failed test or gate. */
const MAX_OUTPUT_LINES = 15;

export function taskTable(tasks: readonly Task[]): string[] {
  return tableLines(HEAD, tasks.map(cells));
}

/** Status, reason, usage, and what can be done now. */
export function taskLines(task: Task, time: TimeText): string[] {
  const { task_name, description, summary, error_message, reason, status, progress } = task;
  return [
    `${task_name}: ${standing(task)}`,
    ...field('now', status === 'RUNNING' || status === 'TESTING' ? progress : null),
    ...field('description', description),
    ...field('directory', placeText(task)),
    ...placedLines(task),
    ...field('done when', criteriaText(task)),
    ...field('used', usedText(task)),
    ...field('starts after', task.depends_on.join(', ')),
    ...field('agent says', summary),
    ...field('error', error_message),
    ...field('tests', testsText(task)),
    ...field('proof', proofText(task)),
    ...waitLines(task, time),
    // A wait says itself what comes next.
    ...(reason === null || task.wait !== null ? [] : field('next', taskNextStep(reason))),
    ...actionLines(task),
  ];
}

function standing({ status, outcome, reason, queue_position }: Task): string {
  const why = reason === null ? '' : `, ${reasonText(reason).label}`;
  const proof = outcome === null ? '' : ', criteria met';
  const place = queue_position === null ? '' : `, #${queue_position} in the queue`;
  return `${statusText(status)}${why}${reason === 'criteria_met' ? '' : proof}${place}`;
}

/** As `--status` takes it. */
export function statusText(status: TaskStatus): string {
  return status.toLowerCase();
}

function cells(task: Task): string[] {
  const { task_name, status, wait, iterations, total_tokens_used, total_cost_usd } = task;
  // A wait says more than the reason of an earlier stop.
  const reason = wait?.reason ?? task.reason;
  return [
    oneLine(task_name, MAX_LINE),
    statusText(status),
    reason === null ? '-' : reasonText(reason).label,
    `${iterations}/${task.end_criteria_config.max_iterations}`,
    String(total_tokens_used),
    total_cost_usd === 0 ? '-' : `$${total_cost_usd.toFixed(2)}`,
    oneLine(task.description, MAX_DESCRIPTION),
  ];
}

function field(name: string, text: string | null): string[] {
  return text === null || text === ''
    ? []
    : [`  ${name.padEnd(LABEL)}  ${oneLine(text, MAX_LINE)}`];
}

function placeText(task: Task): string {
  const { worktree_path, branch_name, root_folder, is_repository, use_worktree } = task;
  const branch = branch_name === null ? '' : `, branch ${branch_name}`;
  if (worktree_path !== null) return worktree_path + branch;
  if (!is_repository) return `${root_folder} (not in git: no worktree, no branch)`;
  return use_worktree ? `${root_folder}${branch} (no worktree)` : `${root_folder} (works in it)`;
}

/** The host that was chosen and why, then what was found of the others. */
function placedLines({ placed }: Task): string[] {
  if (placed === null) return [];
  const [chosen, ...others] = placed.hosts;
  const why = chosen === undefined ? '' : ` (${judgedHostText(chosen)})`;
  return [
    ...field('host', `${placed.host}${why}; asked for: ${askedPlaceText(placed)}`),
    ...others.flatMap((host) =>
      field(host.fits ? 'also fits' : 'not on', `${host.name} (${judgedHostText(host)})`),
    ),
  ];
}

/** The criteria, and whether they were judged to be met. */
function criteriaText({ end_criteria_config, completion, outcome }: Task): string {
  const { criteria } = end_criteria_config;
  if (criteria === null) return 'the agent says so (no criteria)';
  const unmet = completion === null ? 'not met yet' : 'not judged to be met';
  return `${oneLine(criteria, MAX_CRITERIA)} (${outcome === null ? unmet : 'met'})`;
}

function testsText({ test_cases }: Task): string {
  return test_cases.map(({ name, status }) => `${name} ${status}`).join(', ');
}

function usedText(task: Task): string {
  const { max_iterations, max_tokens, max_cost_usd, max_minutes } = task.end_criteria_config;
  const minutes = max_minutes === null ? '' : ` of ${formatDuration(max_minutes * 60)}`;
  return [
    `${task.iterations} of ${max_iterations} turns`,
    `${task.total_tokens_used}${max_tokens === null ? '' : ` of ${max_tokens}`} tokens`,
    `$${task.total_cost_usd.toFixed(2)}${max_cost_usd === null ? '' : ` of $${max_cost_usd}`}`,
    `${formatDuration(task.active_seconds)}${minutes} worked`,
    ...(task.model === null ? [] : [task.model]),
    ...(task.context_percent === null ? [] : [`${task.context_percent} % context`]),
  ].join(', ');
}

const PROOF_TEXT: Record<Completion['proof'], string> = {
  proven: 'all tests and gates passed on this host',
  refuted: 'the agent claims to be done, but tests or gates failed',
  unproven: 'no tests or gates ran; only the agent says that it is done',
};

function proofText({ completion, summary }: Task): string | null {
  if (completion === null) return null;
  const { proof, commit, claim } = completion;
  const of = commit === null ? '' : ` (${commit.slice(0, 10)})`;
  const more = claim === null || claim === summary ? '' : `; claim: ${claim}`;
  return `${PROOF_LABEL[proof].toLowerCase()}${of}: ${PROOF_TEXT[proof]}${more}`;
}

/** With what was seen, such as the text of an error. */
function waitLines({ wait }: Task, time: TimeText): string[] {
  if (wait === null) return [];
  const until = wait.until === null ? '' : ` until ${time(wait.until)}`;
  const seen = wait.evidence.flatMap(({ lines }) => lines).flatMap((line) => line.split('\n'));
  return [
    ...field('waiting', `${reasonText(wait.reason).label}${until}: ${wait.next}`),
    ...seen.map((line) => `${' '.repeat(LABEL + 4)}| ${oneLine(line, MAX_LINE)}`),
  ];
}

function actionLines({ task_name, status, wait, interaction_count, is_repository }: Task) {
  const actions = (Object.keys(TASK_ACTIONS) as TaskAction[]).filter(
    // What waits for its start was started.
    (action) => takesAction(action, status) && (action !== 'start' || wait === null),
  );
  const verbs = [
    ...actions,
    ...(interaction_count === 0 ? [] : ['log']),
    'say',
    ...(is_repository ? ['diff'] : []),
  ];
  const texts: Record<string, string> = { say: ' TEXT' };
  return [
    '  you can:',
    ...verbs.map((verb) => `    loopwatch task ${verb} ${task_name}${texts[verb] ?? ''}`),
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

function lastLines(output: string): string[] {
  const lines = plainText(output).trimEnd().split('\n');
  const shown = lines.slice(-MAX_OUTPUT_LINES);
  const left = lines.length - shown.length;
  return [
    ...(left === 0 ? [] : [`    … ${countText(left, 'earlier line')}`]),
    ...shown.map((line) => `    ${line}`),
  ];
}
