/** Shows a run until it ends: redrawn in place on a terminal, as lines in a pipe, or as JSON. */
import type { Run } from '../../../shared/schema/runs/run.ts';
import { isRoutine } from '../../../shared/rules/events/is-routine.ts';
import { quoted } from '../../../shared/rules/text/quoted.ts';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import type { RunEvent } from '../../../shared/words/events/describe-run-event.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { request } from '../client.ts';
import { notice, print, printJson } from '../print/print.ts';
import { timeIn, type TimeText } from '../print/time-text.ts';
import { type FollowedRun, followRun, isOver } from './follow-run.ts';
import { runHints, whyText } from './print-run.ts';
import { RunError, RunExit } from './run-exit.ts';
import { RunDisplay } from './run-display.ts';
import { PROOF_LABEL } from '../../../shared/words/work/report-text.ts';

export interface WatchRun {
  /** Its events after this cursor. */
  after: string;
  json: boolean;
  utc?: boolean;
}

interface Showing {
  page: (page: FollowedRun) => void;
  notice: (text: string) => void;
  end: () => void;
}

/**
 * Resolves when it is done. Throws a RunError when it failed or was stopped, and on Ctrl-C, which
 * leaves the run alone.
 */
export async function watchRun(id: string, options: WatchRun): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const showing = showingOf(options);
  let last: Run | null = null;
  try {
    const { after } = options;
    const follow = { after, signal: stop.signal, notice: showing.notice };
    for await (const page of followRun(id, follow)) {
      last = page.run ?? last;
      showing.page(page);
    }
  } finally {
    showing.end();
  }
  if (last !== null && isOver(last)) {
    endRun(last, options.json);
    return;
  }
  const next = `follow it: loopwatch run follow ${id}; stop it: loopwatch run stop ${id}`;
  throw new RunError(RunExit.interrupted, `detached, ${id} continues; ${next}`);
}

/** What the end of a run means for a script. Throws a RunError unless it is done. */
export function endRun(run: Run, isJson: boolean): void {
  const { id, status, error, active_seconds, cost_usd, iteration } = run;
  const rounds = countText(iteration, 'fix round');
  const used = `${formatDuration(active_seconds)}, $${cost_usd.toFixed(2)}, ${rounds}`;
  const proof = run.proof === null ? '' : `, ${PROOF_LABEL[run.proof].toLowerCase()}`;
  if (status === 'done') {
    const { merged_into, not_merged, options } = run;
    const into = options.merge_into ?? '';
    if (not_merged !== null) {
      const next = `merge it: loopwatch run merge ${id} --into ${quoted(into)}`;
      const kept = `${id} done${proof}, but not merged into ${into}: ${plainText(not_merged)}`;
      throw new RunError(RunExit.failed, `${kept} (${used}); ${next}`);
    }
    const place = merged_into === null ? '' : `, merged into ${plainText(merged_into)}`;
    if (!isJson) print(`${id} done${proof}${place}: ${used}; see: loopwatch run report ${id}`);
    return;
  }
  const why = error === null ? '' : `: ${plainText(error)}`;
  const next = run.actions.includes('resume') ? `; resume it: loopwatch run resume ${id}` : '';
  throw new RunError(RunExit.failed, `${id} ${status}${whyText(run)}${why} (${used})${next}`);
}

function showingOf({ json, utc }: WatchRun): Showing {
  const time = timeIn({ utc: utc === true });
  if (json) {
    return {
      page: ({ events }) => {
        for (const { event, key } of events) printJson({ key, ...event });
      },
      notice,
      end: () => undefined,
    };
  }
  if (!process.stdout.isTTY) {
    return { page: (page) => printPage(page, time), notice, end: () => undefined };
  }
  return new RunDisplay(process.stdout, checkNames);
}

function printPage({ events, run }: FollowedRun, time: TimeText): void {
  for (const { event } of events) {
    if (isShown(event)) {
      const { text } = describeEvent(event, time);
      print(`${time(event.at)}  ${text}`);
    }
  }
  const isAsked = events.some(
    ({ event }) => event.type === 'run.status' && event.data.status === 'waiting',
  );
  if (isAsked && run !== null) print(runHints(run).map((hint) => `  ${hint}`));
}

/** What an agent says is in the conversation; a line per tool and phase is enough here. */
function isShown({ type, data }: RunEvent): boolean {
  if (isRoutine(type)) return false;
  return type !== 'run.interaction' || data.tool !== null;
}

/** Those of this round; none while the daemon is away. */
async function checkNames(
  run: Run,
): Promise<[string, 'pending' | 'passed' | 'failed' | 'skipped'][]> {
  try {
    const { checks } = await request('getRunChecks', { params: { id: run.id }, query: {} });
    return checks.map(({ name, status }) => [name, status]);
  } catch {
    return [];
  }
}
