/** A run as its checkpoint: what another daemon, or another program, can resume from. */
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { Checkpoint, RunEvent } from '../../../shared/schema/runs/checkpoint.ts';
import type { RunCheck, RunLimits } from '../../../shared/schema/runs/run.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { PHASE_TEXT } from '../../../shared/words/work/run-text.ts';
import { toolCallSubject } from '../../../shared/rules/tool-call.ts';
import { totalSpent } from '../machine/ending.ts';
import { planPath } from '../plan-file.ts';
import type { RunRecord } from '../stores/run-record.ts';

const VERSION = 1;
/** The newest lines of its log. */
const LINES = 200;

export interface CheckpointFacts {
  home: string;
  record: RunRecord;
  /** All of them, oldest first. */
  interactions: readonly Interaction[];
  /** Of the newest round. */
  checks: readonly RunCheck[];
  /** ISO 8601 in UTC. */
  at: string;
}

/** Pure. Every event that it holds was delivered: each was published when it was stored. */
export function checkpointOf(facts: CheckpointFacts): Checkpoint {
  const { home, record, interactions, checks, at } = facts;
  const { id, request, state } = record;
  const { options, directory } = request;
  const of = (phase: WorkPhase) =>
    interactions.filter(({ turn }) => state.turns[turn - 1] === phase);
  const parts = Object.fromEntries(
    WORK_PHASES.map((phase) => {
      const own = of(phase);
      return [phase, { events: own.map(eventOf), text: fullText(own) }];
    }),
  ) as Record<WorkPhase, { events: RunEvent[]; text: string }>;
  const { plan, execute, review, fix } = parts;
  const { conversations, now } = state;
  const spent = totalSpent(state);
  const result = now.stage === 'ending' || now.stage === 'over' ? now.result : null;
  const unfinished = result?.status === 'done' ? null : result;
  return {
    version: VERSION,
    session_id: id,
    checkpoint_time: at,
    original_start_time: state.startedAt,
    phase: state.phase,
    phase_started_offset: secondsBetween(state.startedAt, state.phaseSince),
    iteration: state.iteration,
    model: options.model ?? '',
    claude_session_id: conversations.plan,
    exec_session_id: conversations.execute,
    review_session_id: conversations.review,
    fix_session_id: conversations.fix,
    claude_events: plan.events,
    claude_full_text: plan.text,
    exec_events: execute.events,
    exec_full_text: execute.text,
    review_events: review.events,
    review_full_text: review.text,
    fix_events: fix.events,
    fix_full_text: fix.text,
    plan_cursor: plan.events.length,
    exec_cursor: execute.events.length,
    review_cursor: review.events.length,
    fix_cursor: fix.events.length,
    lines: linesOf(record, interactions),
    plan_path: state.hasPlan ? planPath(home, id) : null,
    last_checklist: checklistOf(checks),
    working_dir: directory,
    force_stopped: unfinished?.status === 'stopped',
    force_stop_reason: unfinished && (state.stopReason ?? unfinished.reason),
    prompt: options.prompt,
    usage: {
      input_tokens: spent.inputTokens,
      output_tokens: spent.outputTokens,
      cost_usd: spent.costUsd,
      active_seconds: state.activeMs / 1000,
      limits: limitsOf(options),
    },
    stuck: { signatures: state.signatures, unchanged_rounds: state.unchangedRounds },
    completed_at: state.completedAt,
  };
}

/** What may be used, next to what was: a run that is imported keeps its limits. */
function limitsOf(options: StartRun): RunLimits {
  const { max_fix_rounds, same_failure_limit, max_minutes, max_cost_usd, max_tokens } = options;
  const phases = Object.entries(options.phases).map(([phase, own]) => {
    return [phase, { max_minutes: own.max_minutes, max_cost_usd: own.max_cost_usd }] as const;
  });
  const whole = { max_fix_rounds, same_failure_limit, max_minutes, max_cost_usd, max_tokens };
  return { ...whole, phases: Object.fromEntries(phases) };
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}

/** One entry each, so that a cursor counts both. */
function eventOf({ type, tool, content, is_error }: Interaction): RunEvent {
  if (tool === null) return { Text: content };
  const done = type === 'tool_result';
  const params = done ? '' : content;
  return { Tool: { name: tool, params, done, is_error, output: done ? content : null } };
}

function fullText(entries: readonly Interaction[]): string {
  return entries
    .filter(({ type, tool }) => type === 'claude_response' && tool === null)
    .map(({ content }) => content)
    .join('\n\n');
}

function linesOf({ state }: RunRecord, interactions: readonly Interaction[]): Checkpoint['lines'] {
  return interactions.slice(-LINES).map(({ type, tool, content, timestamp, turn, is_error }) => {
    const phase = state.turns[turn - 1];
    const name = phase === undefined ? '' : PHASE_TEXT[phase].label;
    const what = tool === null ? content : `${tool} ${toolCallSubject(content)}`;
    const [first = ''] = what.split('\n');
    return {
      text: `${name}: ${first.slice(0, 200)}`,
      timestamp: secondsBetween(state.startedAt, timestamp),
      status: is_error ? 'Error' : type === 'claude_response' ? 'Thinking' : 'Info',
      section: tool === null ? 'Claude' : 'Tools',
    };
  });
}

function checklistOf(checks: readonly RunCheck[]): Checkpoint['last_checklist'] {
  if (checks.length === 0) return null;
  return Object.fromEntries(
    checks.map(({ name, status, exit_code, output }) => [
      name,
      {
        passed: status === 'passed',
        message: exit_code === null ? status : `${status}, exit code ${exit_code}`,
        details: status === 'failed' ? output : null,
      },
    ]),
  );
}
