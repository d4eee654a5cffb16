/**
 * Why a loop does what it does, for a person who was just woken: what, why, by which evidence, since and
 * until when, what happens next, what can be done. No text of an agent reaches the terminal raw.
 */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { agentText, WITNESS_TEXT } from '../../../shared/words/sessions/agent-text.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import type { PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import {
  EVIDENCE_TEXT,
  LOOP_STATUS_TEXT,
  loopOutcomeText,
  UNPROVEN_TEXT,
} from '../../../shared/words/work/loop-text.ts';
import type { Loop, Wait } from '../../../shared/schema/model.ts';
import { OWN_PERMISSIONS } from '../../../shared/words/work/permissions-text.ts';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { failedLoopCommands } from '../../../shared/words/attention-text.ts';
import { attentionLines } from './print-attention.ts';
import { loopTimes } from './print-loops.ts';
import { quoted } from '../../../shared/rules/text/quoted.ts';
import type { TimeText } from './time-text.ts';

/** All that one answer rests on. */
export interface Why {
  session: string;
  /** Whether there is a terminal of that name. */
  is_open: boolean;
  /** Null when neither a session nor a loop of that name is there. */
  loop: Loop | null;
  /** Null without an agent in front. */
  agent: AgentState | null;
  /** The newest loop that has ended, if the log still holds one. */
  last_run: PastLoop | null;
  /** Open items of the session. */
  attention: AttentionItem[];
}

/** One screen of lines. */
export function whyLines(why: Why, nowMs: number, time: TimeText): string[] {
  const { loop, agent, attention } = why;
  const needs = attention.flatMap((item) => attentionLines(item, nowMs));
  return [
    ...(loop === null || loop.status === 'stopped'
      ? lastEnd(why, nowMs, time)
      : current(loop, nowMs, time)),
    ...(agent === null || isEarlierAgent(why)
      ? []
      : [`agent      ${agentLine(agent, nowMs, time)}`]),
    ...section('Needs attention', needs),
    ...section('You can', commands(why)),
  ];
}

/** While a new one starts, what is known is still how the last one ended. */
function isEarlierAgent({ loop, agent }: Why): boolean {
  return agent?.state === 'exited' && (loop?.status === 'starting' || loop?.status === 'stopping');
}

function current(loop: Loop, nowMs: number, time: TimeText): string[] {
  const { session_name, status, status_since, wait, stop_reason, stop_evidence, error } = loop;
  const head = `${session_name}: ${LOOP_STATUS_TEXT[status]}`;
  const begun = status_since === null ? '' : ` since ${moment(status_since, nowMs, time)}`;
  if (status === 'failed' && stop_reason !== null) {
    return [
      head + begun,
      ...reasonLines(stop_reason, error),
      ...evidence(stop_evidence, nowMs, time),
      ...facts(loop, nowMs, time),
    ];
  }
  if (wait === null) {
    return [head + begun, '  Not waiting on anything.', ...facts(loop, nowMs, time)];
  }
  return [
    head,
    `  ${reasonText(wait.reason).label}, ${timesOf(loop, wait, nowMs, time)}`,
    `  Next: ${plainText(wait.next)}`,
    ...(error === null ? [] : [`  ${plainText(error)}`]),
    ...evidence(wait.evidence, nowMs, time),
    ...facts(loop, nowMs, time),
  ];
}

function lastEnd({ session, is_open, last_run }: Why, nowMs: number, time: TimeText): string[] {
  const head = `${session}: ${LOOP_STATUS_TEXT.stopped}${is_open ? '' : ', session closed'}`;
  if (last_run === null) return [head, '  No past loop in the log.'];
  const { ended_at, reason, unproven, error, task_dir } = last_run;
  return [
    head,
    `  Last loop ended ${moment(ended_at ?? last_run.started_at, nowMs, time)}`,
    ...(reason === null ? [`  ${loopOutcomeText(last_run)}`] : reasonLines(reason, error)),
    ...(unproven === null ? [] : [`  ${UNPROVEN_TEXT[unproven]}`]),
    ...evidence(last_run.evidence, nowMs, time),
    '',
    `task       ${plainText(task_dir ?? 'unknown')}`,
    `iteration  ${last_run.iterations}`,
    `time       ${loopTimes(last_run)}`,
    `counts     ${countText(last_run.restart_count, 'restart')}, ${recoveriesText(last_run.recovery_count)}`,
  ];
}

function recoveriesText(count: number): string {
  return countText(count, 'recovery', 'recoveries');
}

function reasonLines(reason: Reason, error: string | null): string[] {
  const { label, next } = reasonText(reason);
  return [`  ${label}${error === null ? '' : `: ${plainText(error)}`}`, `  ${next}`];
}

function timesOf(
  { status }: Loop,
  { reason, since, until }: Wait,
  nowMs: number,
  time: TimeText,
): string {
  const isCrash = status === 'restart_wait';
  const start = isCrash ? moment(since, nowMs, time) : `since ${moment(since, nowMs, time)}`;
  // Not a wait, so there is no end to miss.
  if (until === null) return reason === 'unknown_screen' ? start : `${start}, no end time`;
  const left = formatDuration((Date.parse(until) - nowMs) / 1000);
  if (isCrash) return `${start}; restarts at ${time(until)} (in ${left})`;
  return `${start}, until ${time(until)} (${left} left)`;
}

function evidence(list: readonly Evidence[], nowMs: number, time: TimeText): string[] {
  return section(
    'Evidence',
    list.flatMap(({ witness, at, lines }) => [
      `${EVIDENCE_TEXT[witness]}, ${moment(at, nowMs, time)}`,
      ...lines.flatMap((line) => plainText(line).split('\n')).map((line) => `  | ${line}`),
    ]),
  );
}

function facts(loop: Loop, nowMs: number, time: TimeText): string[] {
  const count = (value: number | null) => value ?? 0;
  const elapsed = formatDuration(count(loop.elapsed_seconds));
  const limit = formatDuration(count(loop.timeout_seconds));
  const step = `${loop.step ?? ''} ${loop.result ?? ''}, next ${loop.next ?? ''}`;
  const at = loop.last_signal_at === null ? '' : `, ${moment(loop.last_signal_at, nowMs, time)}`;
  const recoveries = `${recoveriesText(count(loop.recovery_count_total))} (${count(loop.recovery_count_step)} in this iteration)`;
  const restarts = countText(count(loop.restart_count), 'restart');
  return [
    '',
    `task       ${plainText(loop.task_dir ?? 'unknown')}`,
    `iteration  ${count(loop.iteration)} of ${count(loop.max_iterations)}, ${elapsed} of ${limit}`,
    `permitted  ${loop.permissions ?? OWN_PERMISSIONS}`,
    `signal     ${loop.step === null ? 'none so far' : step + at}`,
    `counts     ${restarts} since the last finished step, ${recoveries}, ${formatDuration(count(loop.quota_wait_seconds))} for quota`,
  ];
}

function agentLine(
  { state, cause, detail, since, witness }: AgentState,
  nowMs: number,
  time: TimeText,
): string {
  const words = detail === null ? '' : `: ${plainText(detail).split('\n')[0] ?? ''}`;
  return `${agentText(state, cause)}${words}, ${moment(since, nowMs, time)}, source: ${WITNESS_TEXT[witness]}`;
}

function commands({ session, is_open, loop, last_run }: Why): string[] {
  const look = is_open
    ? [`loopwatch session screen ${session}`, `loopwatch session attach ${session}`]
    : [];
  const history = `loopwatch loop history ${session}`;
  if (loop?.status === 'failed') {
    const steps = failedLoopCommands(session);
    return [...look, ...(is_open ? steps : steps.slice(1)), history];
  }
  if (loop !== null && loop.status !== 'stopped')
    return [...look, `loopwatch loop stop ${session}`, history];
  const directory = last_run?.task_dir ?? null;
  const start =
    directory === null ? [] : [`loopwatch loop start ${quoted(directory)} --session ${session}`];
  return [...look, ...(is_open ? start : []), ...(last_run === null ? [] : [history])];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', title, ...lines.map((line) => `  ${line}`)];
}

function moment(at: string, nowMs: number, time: TimeText): string {
  return `${time(at)} (${formatDuration((nowMs - Date.parse(at)) / 1000)} ago)`;
}
