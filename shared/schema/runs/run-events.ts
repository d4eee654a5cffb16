/** The events of runs. `run` is the run's id. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';
import { Reason } from '../reasons.ts';
import { ContextStep } from '../tasks/context-step.ts';
import { InteractionType } from '../tasks/interaction.ts';
import { WORKTREE_ACTIONS } from '../tasks/project.ts';
import { TaskInputState } from '../tasks/task-input.ts';
import { RunPhase, RunStatus, WorkPhase } from './run-phase.ts';

const run = z.string();

export const RUN_EVENTS = {
  'run.created': z.object({
    run,
    title: z.string(),
    working_dir: z.string(),
    branch: z.string().nullable(),
    author: Author,
  }),
  'run.phase': z.object({
    run,
    phase: RunPhase,
    before: RunPhase.nullable(),
    iteration: z.int(),
  }),
  'run.status': z.object({
    run,
    status: RunStatus,
    before: RunStatus,
    phase: RunPhase,
    reason: Reason.nullable(),
    /** The end of its wait, if known. */
    until: z.iso.datetime().nullable(),
    error: z.string().nullable(),
    author: Author,
  }),
  /** Queued, it cannot begin yet: another host or task works there, or its fleet cannot be reached. */
  'run.held': z.object({
    run,
    reason: z.enum(['claimed', 'fleet_unreachable']),
    detail: z.string(),
  }),
  'run.checkpoint': z.object({
    run,
    phase: RunPhase,
    /** Events of all phases it holds. */
    events: z.int(),
  }),
  /** `written` by the agent, `edited` or `accepted` by a person. */
  'run.plan': z.object({
    run,
    action: z.enum(['written', 'edited', 'accepted']),
    hash: z.string(),
    author: Author,
  }),
  'run.check': z.object({
    run,
    id: z.int(),
    iteration: z.int(),
    type: z.enum(['regression', 'gate']),
    name: z.string(),
    status: z.enum(['pending', 'passed', 'failed', 'skipped']),
    exit_code: z.int().nullable(),
    duration_ms: z.int().nullable(),
    commit: z.string().nullable(),
  }),
  'run.review': z.object({
    run,
    iteration: z.int(),
    verdict: z.enum(['pass', 'fail', 'unclear']),
    /** The end of the reviewer's text. */
    findings: z.string(),
  }),
  'run.interaction': z.object({
    run,
    /** The place in its phase, from 0: what comes twice has the same. */
    index: z.int(),
    phase: WorkPhase,
    id: z.int(),
    type: InteractionType,
    turn: z.int(),
    tool: z.string().nullable(),
    /** The first 300 characters. */
    preview: z.string(),
    output_tokens: z.int().nullable(),
    cost_usd: z.number().nullable(),
  }),
  /** The conversation of its phase was compacted, or a new one takes over. */
  'run.context': z.object({ run, phase: WorkPhase, step: ContextStep, percent: z.number() }),
  'run.input_queued': z.object({ run, id: z.string(), preview: z.string(), author: Author }),
  'run.input_delivered': z.object({ run, id: z.string(), state: TaskInputState }),
  'run.worktree': z.object({
    run,
    action: z.enum(WORKTREE_ACTIONS),
    path: z.string(),
    branch: z.string(),
    backup_ref: z.string().nullable(),
    /** Of a setup: its command, how long it took, or why it failed. */
    detail: z.string().optional(),
  }),
  'run.stopped': z.object({ run, reason: z.string().nullable(), author: Author }),
  'run.resumed': z.object({
    run,
    phase: RunPhase,
    /** Events delivered again from the stored place on, by phase. */
    redelivered: z.record(WorkPhase, z.int()),
    author: Author,
  }),
  'run.done': z.object({
    run,
    status: z.enum(['done', 'failed', 'stopped']),
    reason: Reason.nullable(),
    proof: z.enum(['proven', 'unproven', 'refuted']).nullable(),
    iteration: z.int(),
    active_seconds: z.number(),
    cost_usd: z.number(),
    commit: z.string().nullable(),
  }),
  'run.merged': z.object({ run, into: z.string(), commit: z.string(), author: Author }),
  /** It is complete and stays on its branch: not merged into `into`, and why. */
  'run.not_merged': z.object({ run, into: z.string(), why: z.string() }),
  'run.deleted': z.object({ run, kept: z.array(z.string()), author: Author }),
} as const;
