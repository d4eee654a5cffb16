/** One run from the shell, over restarts of the daemon, until it ends. */
import type { RunEvent } from '../../../shared/words/events/describe-run-event.ts';
import { formatCursor } from '../../../shared/schema/events/cursor.ts';
import type { RunStatus } from '../../../shared/schema/runs/run-phase.ts';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { subjectRef } from '../../../shared/schema/events/subject.ts';
import { request } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { followEvents } from '../follow-events.ts';

const OVER: readonly RunStatus[] = ['stopped', 'failed', 'done'];

export interface FollowedRun {
  /** Since the page before. */
  events: { event: RunEvent; key: string }[];
  /** As it is after them; null while the daemon is away. */
  run: Run | null;
}

export function isOver({ status }: { status: RunStatus }): boolean {
  return OVER.includes(status);
}

/** The place after the newest event: what happens from now on comes after it. */
export async function cursorNow(): Promise<string> {
  const { epoch, head } = await request('status', {});
  return formatCursor(epoch, head);
}

/**
 * Its events after the cursor, each at least once and in order, with the run as it is then. Ends
 * with the run. Throws a RefusedError, such as for one that was deleted.
 */
export async function* followRun(
  id: string,
  { after, signal, notice }: { after: string; signal: AbortSignal; notice: (text: string) => void },
): AsyncGenerator<FollowedRun, void, void> {
  const subject = subjectRef({ kind: 'run', id });
  const first = await readRun(id);
  if (first !== null) yield { events: [], run: first };
  let wasOver = false;
  for await (const page of followEvents({ after, subject, signal, notice })) {
    const events = page.events.flatMap(({ event, key }) =>
      isRunEvent(event) ? [{ event, key }] : [],
    );
    const run = await readRun(id);
    yield { events, run };
    const isEnded = run !== null && isOver(run);
    // Its last events may be a page later than its status.
    if (isEnded && (events.some(({ event }) => event.type === 'run.done') || wasOver)) return;
    wasOver = isEnded;
  }
}

function isRunEvent(event: { type: string }): event is RunEvent {
  return event.type.startsWith('run.');
}

async function readRun(id: string): Promise<Run | null> {
  try {
    return await request('getRun', { params: { id } });
  } catch (error) {
    if (error instanceof CliError && error.exitCode === ExitCode.notRunning) return null;
    throw error;
  }
}
