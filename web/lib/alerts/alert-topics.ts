import type { AlertTargetView } from '$shared/schema/alerts/alert-targets.ts';
import type { Reason } from '$shared/schema/reasons.ts';

export interface Topic {
  type: string;
  label: string;
  hint: string;
}

/** The most common topics, by event type. */
export const TOPICS: readonly Topic[] = [
  {
    type: 'attention.raised',
    label: 'An agent needs attention',
    hint: 'An agent or task asks a question, waits for a permission, or is stuck.',
  },
  { type: 'auto.failed', label: 'A loop failed', hint: 'It will not recover on its own.' },
  { type: 'auto.ended', label: 'A loop ended', hint: 'It reached its report, a limit or a stop.' },
  {
    type: 'task.status',
    label: 'A task changes status',
    hint: 'When it starts, waits, fails or completes. Choose reasons to narrow it.',
  },
  {
    type: 'alert.failed',
    label: 'An alert could not be sent',
    hint: 'Use a different target than the alert it reports on.',
  },
];

/** Why a task does not continue; excludes reasons it recovers from on its own. */
const TASK_FAILURES: readonly Reason[] = [
  'tests_failed',
  'gate_failed',
  'client_failed',
  'session_lost',
  'worktree_failed',
  'max_iterations',
  'max_tokens',
  'max_cost',
  'timeout',
];
const TASK_ENDS: readonly Reason[] = ['criteria_met', 'claimed_done', 'completed'];

/** The initial values of a new rule. */
export interface Preset {
  name: string;
  types: readonly string[];
  reasons?: readonly Reason[];
  target?: AlertTargetView;
}

export const PRESETS: readonly { label: string; preset: Preset }[] = [
  {
    label: 'Alert me when an agent needs attention',
    preset: { name: 'An agent needs attention', types: ['attention.raised'] },
  },
  {
    label: 'Alert me when a loop fails',
    preset: { name: 'A loop failed', types: ['auto.failed'] },
  },
  {
    label: 'Alert me when a task fails or hits a limit',
    preset: { name: 'A task failed', types: ['task.status'], reasons: TASK_FAILURES },
  },
  {
    label: 'Alert me when a task is done',
    preset: { name: 'A task is done', types: ['task.status'], reasons: TASK_ENDS },
  },
];

/** What someone who has just turned on notifications in a browser wants. */
export const BROWSER_PRESET: Preset = {
  name: 'Browsers',
  types: ['attention.raised', 'auto.failed'],
  target: { kind: 'push', to: 'operator' },
};

/** Separates the topics among the patterns from the other patterns. */
export function splitTypes(types: readonly string[]): { topics: string[]; patterns: string[] } {
  const isTopic = (type: string) => TOPICS.some((topic) => topic.type === type);
  return { topics: types.filter(isTopic), patterns: types.filter((type) => !isTopic(type)) };
}

export function listensTo(types: readonly string[], type: string): boolean {
  // No pattern matches events about alerts themselves.
  const isOwn = type.startsWith('alert.');
  return types.some((pattern) => {
    if (pattern === type) return true;
    if (isOwn || !pattern.endsWith('*')) return false;
    return type.startsWith(pattern.slice(0, -1));
  });
}
