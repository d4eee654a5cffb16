/**
 * Makes a run of a checkpoint that no row belongs to: restored by hand, imported, or written by
 * another program. Events that were not delivered are delivered again.
 */
import type { Checkpoint, RunEvent } from '../../shared/schema/runs/checkpoint.ts';
import { WORK_PHASES } from '../../shared/rules/work/run-phases.ts';
import type { WorkPhase } from '../../shared/schema/runs/run-phase.ts';
import { RunLimits } from '../../shared/schema/runs/run.ts';
import { StartRun } from '../../shared/schema/runs/run-requests.ts';
import type { Append } from '../events/event-log.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import { interactionEvent } from './executor/run-turn.ts';
import { readReport } from './executor/write-report.ts';
import { freshRun, OPEN, perPhase } from './machine/fresh-run.ts';
import type { RunState } from './machine/run-state.ts';
import { readPlan } from './plan-file.ts';
import { storedEnd } from './stored-end.ts';
import { ownerOf, type RunRecord } from './stores/run-record.ts';

/** The fields of each phase: its events, and how many of them were delivered. */
const FIELDS = {
  plan: { events: 'claude_events', cursor: 'plan_cursor', session: 'claude_session_id' },
  execute: { events: 'exec_events', cursor: 'exec_cursor', session: 'exec_session_id' },
  review: { events: 'review_events', cursor: 'review_cursor', session: 'review_session_id' },
  fix: { events: 'fix_events', cursor: 'fix_cursor', session: 'fix_session_id' },
} as const satisfies Record<WorkPhase, Record<string, keyof Checkpoint>>;

/** The turns that its events are filed under: one for each phase. */
const TURNS: WorkPhase[] = [...WORK_PHASES];

export interface Adopted {
  record: RunRecord;
  /** How many events of each phase are delivered again. */
  redelivered: Record<WorkPhase, number>;
}

/** `isRepository` and the rest of `place` say where it works on this machine. */
export function adoptedRun(
  checkpoint: Checkpoint,
  place: Pick<RunRecord['request'], 'directory' | 'isRepository'>,
  { home, at }: { home: string; at: string },
): Adopted {
  const { session_id: id, prompt, model, usage, stuck } = checkpoint;
  const limits = limitsIn(checkpoint);
  const options = StartRun.parse({
    prompt: prompt.trim() === '' ? '(the checkpoint has no prompt)' : prompt,
    cwd: place.directory,
    ...limits,
    ...(model === '' ? {} : { model }),
  });
  const fresh = freshRun(Date.parse(checkpoint.original_start_time));
  const plan = planIn(checkpoint, home);
  const phase = checkpoint.phase;
  const activeMs = activeMsIn(checkpoint);
  const spend = {
    activeMs,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    costUsd: usage.cost_usd,
    turns: 0,
  };
  const conversations = perPhase((each) => checkpoint[FIELDS[each].session]);
  // A review begins with the checks of this host.
  const isBegun = phase !== 'complete' && phase !== 'review' && conversations[phase] !== null;
  const state: RunState = {
    ...fresh,
    phase,
    iteration: checkpoint.iteration,
    now: { stage: 'over', result: storedEnd(checkpoint) },
    next: isBegun ? { kind: 'continue', inputId: null } : OPEN,
    conversations,
    // Which phase used what is not in the file: the first one stands for all.
    spent: { ...fresh.spent, plan: spend },
    activeMs,
    turns: TURNS,
    hasPlan: plan !== null,
    hasReport: readReport(home, id) !== null,
    signatures: stuck.signatures,
    unchangedRounds: stuck.unchanged_rounds,
    completedAt: checkpoint.completed_at,
  };
  return {
    record: {
      id,
      request: { options, ...place, limitsFrom: limits === null ? 'default' : 'checkpoint' },
      state,
      agentPlan: plan,
      acceptedPlan: null,
      createdBy: null,
      createdAt: checkpoint.original_start_time,
      updatedAt: at,
    },
    redelivered: perPhase((each) => undelivered(checkpoint, each)),
  };
}

/** Files its events as interactions, and delivers those that were not delivered. */
export function deliverAgain(
  checkpoint: Checkpoint,
  { interactions, append, at }: { interactions: InteractionStore; append: Append; at: string },
): void {
  const { session_id: id } = checkpoint;
  for (const [place, phase] of TURNS.entries()) {
    const delivered = checkpoint[FIELDS[phase].cursor];
    for (const [index, event] of checkpoint[FIELDS[phase].events].entries()) {
      const stored = interactions.insert({
        ...lineOf(event),
        taskId: ownerOf(id),
        source: `checkpoint:${phase}:${index}`,
        turn: place + 1,
        at,
      });
      if (stored !== null && index >= delivered) append(interactionEvent(id, phase, index, stored));
    }
  }
}

/** Limits are numbers: nothing else of a request is taken from a file. Null where it names none. */
function limitsIn({ usage }: Checkpoint): RunLimits | null {
  const limits = RunLimits.safeParse(usage['limits']);
  return limits.success && Object.keys(limits.data).length > 0 ? limits.data : null;
}

/** Time at work, so that its limit does not begin again. */
function activeMsIn({ usage }: Checkpoint): number {
  const seconds = usage['active_seconds'];
  return typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1000) : 0;
}

function undelivered(checkpoint: Checkpoint, phase: WorkPhase): number {
  const { events, cursor } = FIELDS[phase];
  return Math.max(0, checkpoint[events].length - checkpoint[cursor]);
}

/** What is on disk next to it, else what the agent said while it planned. */
function planIn(checkpoint: Checkpoint, home: string): string | null {
  if (checkpoint.plan_path === null && checkpoint.phase === 'plan') return null;
  const written = readPlan(home, checkpoint.session_id) ?? checkpoint.claude_full_text;
  return written.trim() === '' ? null : written;
}

function lineOf(event: RunEvent) {
  const text = field(event, 'Text');
  if (typeof text === 'string') return { type: 'claude_response' as const, content: text };
  const tool = field(event, 'Tool');
  if (isObject(tool) && typeof tool['name'] === 'string') {
    const { name, done, params, output, is_error } = tool;
    const content = done === true ? output : params;
    return {
      type: done === true ? ('tool_result' as const) : ('claude_response' as const),
      content: typeof content === 'string' ? content : '',
      tool: name,
      isError: is_error === true,
    };
  }
  // Of another program, or a sign of life.
  return { type: 'system_message' as const, content: JSON.stringify(event) };
}

function field(event: RunEvent, name: string): unknown {
  return (event as Record<string, unknown>)[name];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
