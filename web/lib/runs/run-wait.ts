/** Why a run does not continue right now, in one line. Pure. */
import { formatTime } from '$lib/ui/text/format-time.ts';
import { count } from '$lib/ui/text/amounts.ts';
import type { Run, RunSummary } from '$shared/schema/runs/run.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import { doneNextStep, runDoing, runNextStep } from '$shared/words/work/run-text.ts';

type Subject = Pick<
  RunSummary,
  'status' | 'stage' | 'phase' | 'reason' | 'error' | 'wait' | 'stale' | 'valid'
>;

/** What it does, waits for or ended with. `since`: when that began, if it is a wait. */
export function runLine(run: Subject): { text: string; since: string | null } {
  const { status, stage, phase, reason, error, wait } = run;
  if (wait !== null) {
    const until = wait.until === null ? '' : ` until ${formatTime(wait.until)}`;
    return { text: `${reasonText(wait.reason).label}${until}`, since: wait.since };
  }
  if (!run.valid && status !== 'done') {
    return { text: 'Its directory no longer exists: restore it or clean up', since: null };
  }
  if (run.stale) return { text: 'Not saved for more than a day: resume or clean up', since: null };
  if (status === 'queued' || status === 'running') {
    return { text: runDoing(phase, stage), since: null };
  }
  const label = reason === null ? null : reasonText(reason).label;
  if (status === 'done') return { text: runNextStep('completed'), since: null };
  const parts = [label, error].filter((part) => part !== null);
  return { text: parts.join(': '), since: null };
}

type Ended = Pick<Run, 'status' | 'reason' | 'proof' | 'iteration' | 'merged_into' | 'branch'>;

/** The next step of a run that has ended. */
export function endText(run: Ended): string | null {
  const { status, reason, proof, iteration } = run;
  if (status !== 'done') return reason === null ? null : runNextStep(reason);
  const rounds = iteration === 0 ? '' : ` after ${count(iteration, 'fix round')}`;
  const next = doneNextStep(run);
  if (proof === 'proven') return `The host’s checks and the review passed${rounds}. ${next}`;
  return `The reviewer passed it${rounds}, but there were no checks for the host to run. ${next}`;
}

/** What the error does not quote already. */
export function unquotedEvidence({ error, evidence }: Pick<Run, 'error' | 'evidence'>) {
  if (error === null) return evidence;
  return evidence
    .map((each) => ({ ...each, lines: each.lines.filter((line) => !error.includes(line.trim())) }))
    .filter(({ lines }) => lines.length > 0);
}
