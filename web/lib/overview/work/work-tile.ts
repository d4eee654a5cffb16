/** A task or a run as the overview shows it: a tile with words where a session has its screen. Pure. */
import { needsPerson } from '$lib/runs/needs-person.ts';
import { proofBadge, runBadge } from '$lib/runs/run-style.ts';
import { runLine } from '$lib/runs/run-wait.ts';
import { keyOfHost } from '$lib/state/host-path.ts';
import { proofMark } from '$lib/tasks/proof.ts';
import { taskStyle } from '$lib/tasks/task-style.ts';
import { waitText } from '$lib/tasks/wait-text.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import { oneLine } from '$shared/rules/text/plain-text.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import type { SectionName } from '../section-name.ts';

/** The longest text on a tile. */
const LINE = 240;
/** Of a status that only a newer host knows. */
const OTHER: SectionName = 'waiting';

export interface WorkTile {
  readonly kind: 'task' | 'run';
  /** Unique among everything on the overview: no session has a colon in its name. */
  readonly key: string;
  /** Where it is; null: on the host of the page. */
  readonly host: string | null;
  readonly id: string;
  readonly name: string;
  /** Its open inbox items, oldest first. */
  readonly items: readonly AttentionItem[];
  readonly section: SectionName;
  readonly badge: BadgeStyle;
  /** What it does, waits for or ended with. */
  readonly line: string;
  /** What it is about; empty where its name says it. */
  readonly about: string;
  readonly branch: string | null;
  readonly project: string;
  readonly startedBy: string | null;
  /** The beginning of its wait, its end, or its last change. */
  readonly since: string;
  /** When it continues on its own. */
  readonly until: string | null;
  readonly endedAt: string | null;
  /** How often it was continued or fixed. */
  readonly rounds: string;
  /** The last verdict of the host; null before the first. */
  readonly proof: BadgeStyle | null;
  readonly costUsd: number;
  readonly model: string | null;
  readonly contextPercent: number | null;
  /** Time at work, without waits. */
  readonly seconds: number;
}

export function taskTile(
  task: Task,
  items: readonly AttentionItem[],
  host: string | null = null,
): WorkTile {
  const proof = proofMark(task);
  const section = taskSection(task, items);
  const endedAt =
    section === 'done' || hasEnded(task) ? (task.completed_at ?? task.updated_at) : null;
  const max = task.end_criteria_config.max_iterations;
  const why = [waitText(task), task.status === 'FAILED' ? task.error_message : null];
  const line = why.filter((part) => part !== null).join(': ');
  return {
    kind: 'task',
    key: keyOfHost(host, `task:${task.task_name}`),
    host,
    id: task.task_name,
    name: task.task_name,
    items,
    section,
    badge: badgeOf(items, taskStyle(task), task.status === 'COMPLETED' ? proof : null),
    line: oneLine(line === '' ? taskDoing(task) : line, LINE),
    about: oneLine(task.description, LINE),
    branch: task.branch_name,
    project: task.root_folder,
    startedBy: task.created_by,
    since: task.wait?.since ?? endedAt ?? task.updated_at,
    until: task.wait?.until ?? null,
    endedAt,
    rounds: `Iteration ${task.iterations} of ${max}`,
    proof,
    costUsd: task.total_cost_usd,
    model: task.model,
    contextPercent: task.context_percent,
    seconds: task.active_seconds,
  };
}

export function runTile(
  run: RunSummary,
  items: readonly AttentionItem[],
  host: string | null = null,
): WorkTile {
  const proof = proofBadge(run);
  const section = runSection(run, items);
  const isOver = ['stopped', 'failed', 'done'].includes(run.status);
  const endedAt = isOver ? (run.completed_at ?? run.updated_at) : null;
  return {
    kind: 'run',
    key: keyOfHost(host, `run:${run.id}`),
    host,
    id: run.id,
    name: oneLine(run.title, LINE),
    items,
    section,
    badge: badgeOf(items, runBadge(run), run.status === 'done' ? proof : null),
    line: oneLine(runLine(run).text, LINE),
    // Its name is the first line of its prompt, and its list has no more of it.
    about: '',
    branch: run.branch,
    project: run.working_dir,
    startedBy: run.created_by,
    since: run.wait?.since ?? endedAt ?? run.updated_at,
    until: run.wait?.until ?? null,
    endedAt,
    rounds: `Fix round ${run.iteration} of ${run.max_fix_rounds}`,
    proof,
    costUsd: run.cost_usd,
    model: run.model,
    contextPercent: run.context_percent,
    seconds: run.active_seconds,
  };
}

/** A task that was never started waits for nothing: it is idle. */
function taskSection(task: Task, items: readonly AttentionItem[]): SectionName {
  if (items.length > 0 || (task.waiting_for_input && task.status === 'PAUSED')) return 'needs';
  switch (task.status) {
    case 'RUNNING':
    case 'TESTING':
      return 'working';
    case 'PAUSED':
      return 'waiting';
    case 'PENDING':
      return task.queue_position === null && task.wait === null ? 'idle' : 'waiting';
    case 'FAILED':
    case 'EXHAUSTED':
    case 'STOPPED':
    case 'COMPLETED':
      return 'done';
  }
  return OTHER;
}

function runSection(run: RunSummary, items: readonly AttentionItem[]): SectionName {
  if (items.length > 0 || needsPerson(run)) return 'needs';
  switch (run.status) {
    case 'running':
    case 'stopping':
      return 'working';
    case 'queued':
    case 'waiting':
      return 'waiting';
    case 'failed':
    case 'stopped':
    case 'done':
      return 'done';
  }
  return OTHER;
}

function hasEnded({ status }: Task): boolean {
  return ['FAILED', 'EXHAUSTED', 'STOPPED', 'COMPLETED'].includes(status);
}

function taskDoing({ status, progress, summary }: Task): string {
  const isAtWork = status === 'RUNNING' || status === 'TESTING';
  return (isAtWork ? progress?.replace(/\.$/, '') : summary) ?? '';
}

/** An open request first; a result that is not verified is not shown as completed. */
function badgeOf(
  [item]: readonly AttentionItem[],
  status: BadgeStyle,
  proof: BadgeStyle | null,
): BadgeStyle {
  if (item !== undefined)
    return { label: reasonText(item.reason).label, tone: 'fail', mark: 'half' };
  return proof === null || proof.tone === 'good' ? status : proof;
}
