/** Loops as lines for a person. */
import { formatDuration } from '../../shared/format-duration.ts';
import type { Loop } from '../../shared/model.ts';
import { REASON_TEXT } from '../../shared/reason-text.ts';
import type { TimeText } from './time-text.ts';

/** Takes a loop; gives the lines that say how it stands, why, and what happens next. */
export function loopLines(loop: Loop, time: TimeText): string[] {
  if (loop.status === 'stopped') return [`${loop.session_name}: no loop`];
  const elapsed = formatDuration(loop.elapsed_seconds ?? 0);
  const limit = formatDuration(loop.timeout_seconds ?? 0);
  const lines = [
    `${loop.session_name}: ${loop.status}  ${loop.task_dir ?? ''}`,
    `  iteration ${loop.iteration ?? 0} of ${loop.max_iterations ?? 0}, ${elapsed} of ${limit}`,
  ];
  if (loop.step !== null) {
    lines.push(`  last step ${loop.step} ${loop.result ?? ''}, next ${loop.next ?? ''}`);
  }
  if (loop.wait !== null) {
    const until = loop.wait.until === null ? '' : ` until ${time(loop.wait.until)}`;
    const { label } = REASON_TEXT[loop.wait.reason];
    lines.push(`  waits since ${time(loop.wait.since)}${until}: ${label}. ${loop.wait.next}`);
  }
  if (loop.status === 'failed' && loop.stop_reason !== null) {
    const { label, next } = REASON_TEXT[loop.stop_reason];
    lines.push(`  ${label}: ${loop.error ?? ''}`, `  ${next}`);
  }
  return lines;
}
