/** What a run's page offers, the next step first. Pure. */
import type { Run } from '$shared/schema/runs/run.ts';

export interface RunButton {
  action: 'review' | 'checks' | 'stop' | 'resume' | 'merge' | 'delete';
  label: string;
  kind: 'primary' | 'plain' | 'quiet';
}

type Subject = Pick<Run, 'actions' | 'status' | 'reason' | 'rounds' | 'merged_into'>;

const LABELS = {
  resume: 'Resume…',
  merge: 'Merge…',
  stop: 'Stop…',
  delete: 'Delete…',
} as const;

/** At most one is primary: what fits how the run ended. */
export function runButtons(run: Subject): RunButton[] {
  const failed = failedRound(run);
  const next = nextStep(run, failed !== null);
  const offered: Omit<RunButton, 'kind'>[] = [];
  if (run.actions.includes('accept_plan')) offered.push({ action: 'review', label: 'Review plan' });
  if (failed !== null) offered.push({ action: 'checks', label: failed });
  for (const action of ['resume', 'merge', 'stop', 'delete'] as const) {
    if (run.actions.includes(action)) offered.push({ action, label: LABELS[action] });
  }
  const buttons = offered.map(({ action, label }): RunButton => {
    const kind = action === next ? 'primary' : action === 'delete' ? 'quiet' : 'plain';
    return { action, label, kind };
  });
  return buttons.sort((one, other) => weight(one) - weight(other));
}

function weight({ kind }: RunButton): number {
  return ['primary', 'plain', 'quiet'].indexOf(kind);
}

function nextStep({ actions, status, reason, merged_into }: Subject, hasFailed: boolean) {
  if (actions.includes('accept_plan')) return 'review';
  if (status === 'done') return merged_into === null ? 'merge' : null;
  if (status !== 'failed' && status !== 'stopped') return null;
  // More rounds of the same lead nowhere: a person must see the failure first.
  if (hasFailed && (reason === 'stuck' || reason === 'fix_limit')) return 'checks';
  return 'resume';
}

/** The button that shows what its last round failed on; null without such a round. */
function failedRound({ status, rounds }: Subject): string | null {
  const last = rounds.at(-1);
  if (last === undefined || (status !== 'failed' && status !== 'stopped')) return null;
  if (last.checks === 'tests_failed' || last.checks === 'gate_failed') return 'Show failed check';
  return last.verdict === 'fail' ? 'Show findings' : null;
}
