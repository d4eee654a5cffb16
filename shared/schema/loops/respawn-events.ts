/** What the log says of a session that is kept going. */
import { z } from 'zod';
import { RESPAWN_TRIGGERS } from '../../rules/respawn/respawn-names.ts';
import { Evidence } from '../events/evidence.ts';
import { Author } from '../people/people-events.ts';
import {
  CycleOutcome,
  RespawnBlock,
  RespawnCheck,
  RespawnCycle,
  RespawnStateName,
  RespawnStep,
} from './respawn.ts';

const Cycle = z.int().min(0);

export const RESPAWN_EVENTS = {
  'respawn.state': z.object({
    state: RespawnStateName,
    before: RespawnStateName,
    trigger: z.enum(RESPAWN_TRIGGERS),
    cycle: Cycle,
    /** The end of the next timer. */
    until: z.iso.datetime().nullable(),
    evidence: z.array(Evidence),
    author: Author,
  }),
  'respawn.blocked': z.object({
    reason: RespawnBlock,
    cycle: Cycle,
    until: z.iso.datetime().nullable(),
    evidence: z.array(Evidence),
  }),
  /** A person paused or resumed it. */
  'respawn.paused': z.object({ paused: z.boolean(), author: Author }),
  'respawn.configured': z.object({
    /** The keys that have another value now. */
    keys: z.array(z.string()),
    author: Author,
  }),
  'respawn.step_sent': z.object({
    cycle: Cycle,
    step: RespawnStep,
    /** Of the input that carried it. */
    input: z.string(),
    /** `typed`: the program in front cannot confirm what it gets. */
    delivery: z.enum(['delivered', 'typed']),
  }),
  'respawn.step_done': z.object({
    cycle: Cycle,
    step: RespawnStep,
    seconds: z.number().min(0),
    evidence: z.array(Evidence),
  }),
  'respawn.check': z.object({
    check: RespawnCheck,
    /** `dropped`: its answer is no longer needed. */
    status: z.enum(['started', 'answered', 'failed', 'dropped']),
    verdict: z.string().nullable(),
    /** The model's reasoning, or what went wrong. */
    detail: z.string().nullable(),
    /** When the checker may be asked again; null: at once, or not before someone turns it on. */
    until: z.iso.datetime().nullable(),
    /** Off after too many errors. */
    disabled: z.boolean(),
  }),
  'respawn.auto_accepted': z.object({
    /** `hook`: without a key. */
    via: z.enum(['hook', 'key']),
    evidence: z.array(Evidence),
  }),
  'respawn.cycle_done': RespawnCycle.pick({
    cycle: true,
    steps: true,
    skipped: true,
    commits: true,
    files: true,
    tokens: true,
  }).extend({ outcome: CycleOutcome, seconds: z.number().min(0) }),
} as const;
