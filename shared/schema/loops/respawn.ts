/** Respawn as it is configured and shown: its configuration, and the view of one that runs. */
import { z } from 'zod';
import {
  CYCLE_OUTCOMES,
  IDLE_LAYERS,
  RESPAWN_BLOCKS,
  RESPAWN_CHECKS,
  RESPAWN_PRESET_IDS,
  RESPAWN_STATES,
  RESPAWN_STEPS,
} from '../../rules/respawn/respawn-names.ts';
import {
  MAX_ACTIONS,
  MAX_CYCLES_KEPT,
  MAX_RUN_MINUTES,
  MAX_STEP_CHARACTERS,
  RESPAWN_NUMBERS,
  RESPAWN_SWITCHES,
  type RespawnNumberKey,
  type RespawnSwitchKey,
} from '../../rules/respawn/respawn-keys.ts';
import { RESPAWN_TIMERS, type RespawnTimer } from '../../rules/respawn/respawn-timers.ts';
import { Evidence } from '../events/evidence.ts';
import { SessionName } from '../session-name.ts';

/** Null: the client's default model. The alphabet keeps a name from being an option. */
const Model = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, { message: 'must be a model name, e.g. haiku' })
  .nullable();

const StepText = z.string().trim().min(1).max(MAX_STEP_CHARACTERS);

const numbers = Object.fromEntries(
  Object.entries(RESPAWN_NUMBERS).map(([key, { least, most }]) => [
    key,
    z.int().min(least).max(most),
  ]),
) as Record<RespawnNumberKey, z.ZodInt>;

const switches = Object.fromEntries(
  Object.keys(RESPAWN_SWITCHES).map((key) => [key, z.boolean()]),
) as Record<RespawnSwitchKey, z.ZodBoolean>;

const texts = {
  update_prompt: StepText,
  clear_prompt: StepText,
  init_prompt: StepText,
  /** Sent when `init` led to no work; null sends none. */
  kickstart_prompt: StepText.nullable(),
  idle_check_model: Model,
  plan_check_model: Model,
};

export const RespawnConfig = z
  .strictObject({ ...texts, ...numbers, ...switches })
  .refine(({ adaptive_min_ms, adaptive_max_ms }) => adaptive_min_ms <= adaptive_max_ms, {
    path: ['adaptive_max_ms'],
    message: 'must not be less than adaptive_min_ms',
  });
export type RespawnConfig = z.infer<typeof RespawnConfig>;

/** What is left out stays as it is; the result must be a whole configuration again. */
export const RespawnConfigChange = z.strictObject({ ...texts, ...numbers, ...switches }).partial();
export type RespawnConfigChange = z.infer<typeof RespawnConfigChange>;

/**
 * Begins a run. `config` is on top of the preset, and the preset on top of the stored configuration.
 * Without minutes it lasts as long as the preset says, else until it is stopped.
 */
export const RespawnStart = z.strictObject({
  preset: z.enum(RESPAWN_PRESET_IDS).optional(),
  config: RespawnConfigChange.optional(),
  minutes: z.int().min(1).max(MAX_RUN_MINUTES).nullable().optional(),
});
export type RespawnStart = z.infer<typeof RespawnStart>;

const standards = (keys: Record<string, { standard: number | boolean }>) =>
  Object.fromEntries(Object.entries(keys).map(([key, { standard }]) => [key, standard]));

/**
 * The texts are ours. `update` is a prompt, because the client's own `/update` means something else;
 * the models are the client's own, because names of models do not last.
 */
export const DEFAULT_RESPAWN_CONFIG: RespawnConfig = RespawnConfig.parse({
  ...standards(RESPAWN_NUMBERS),
  ...standards(RESPAWN_SWITCHES),
  update_prompt:
    'Write a short summary of what is done and what is next into the notes of this project, so that ' +
    'work can continue without this conversation.',
  clear_prompt: '/clear',
  init_prompt: '/init',
  kickstart_prompt: null,
  idle_check_model: null,
  plan_check_model: null,
});

/** Keys that are undefined change nothing. Throws a `ZodError` when the result is not valid. */
export function changeConfig(before: RespawnConfig, change: RespawnConfigChange): RespawnConfig {
  const keys = Object.keys(change) as (keyof RespawnConfig)[];
  const given = keys.filter((key) => change[key] !== undefined);
  const changes = Object.fromEntries(given.map((key) => [key, change[key]]));
  return RespawnConfig.parse({ ...before, ...changes });
}

export const RespawnStateName = z.enum(RESPAWN_STATES);
export const RespawnStep = z.enum(RESPAWN_STEPS);
export const RespawnBlock = z.enum(RESPAWN_BLOCKS);
export const RespawnCheck = z.enum(RESPAWN_CHECKS);
export const CycleOutcome = z.enum(CYCLE_OUTCOMES);
const Timer = z.enum(Object.keys(RESPAWN_TIMERS) as [RespawnTimer, ...RespawnTimer[]]);

const When = z.iso.datetime();
const Count = z.int().min(0);
const Seconds = z.number().min(0);

export const IdleLayer = z.object({
  layer: z.enum(IDLE_LAYERS),
  /** Null: nothing is known of it. */
  holds: z.boolean().nullable(),
  /** What it adds to the confidence when it holds, 0 to 100. */
  weight: z.number().min(0).max(100),
  since: When.nullable(),
  evidence: Evidence.nullable(),
});
export type IdleLayer = z.infer<typeof IdleLayer>;

const CheckerView = z.object({
  status: z.enum(['ready', 'checking', 'cooldown', 'disabled']),
  /** When a cooldown ends. */
  until: When.nullable(),
  verdict: z.string().nullable(),
  reasoning: z.string().nullable(),
  seconds: Seconds.nullable(),
  errors_in_a_row: Count,
  checks: Count,
  disabled_reason: z.string().nullable(),
});

export const RespawnCycle = z.object({
  cycle: z.int().min(1),
  started_at: When,
  /** Null while its steps are under way. */
  ended_at: When.nullable(),
  outcome: CycleOutcome.nullable(),
  steps: z.array(z.object({ step: RespawnStep, seconds: Seconds })),
  skipped: z.array(RespawnStep),
  /** What changed from its start until the next cycle; null where it cannot be determined. */
  commits: Count.nullable(),
  files: Count.nullable(),
  tokens: Count.nullable(),
  /** Whether it made progress; null before that is judged. */
  progress: z.boolean().nullable(),
});
export type RespawnCycle = z.infer<typeof RespawnCycle>;

export const RespawnView = z.object({
  session_name: SessionName,
  /** How often it was started; 0: never. */
  runs: Count,
  /** Of the run; null while it is stopped. */
  started_at: When.nullable(),
  started_by: z.string().nullable(),
  /** Why it is stopped; null while it runs, and before the first start. */
  stopped_by: z.enum(['person', 'clock', 'config', 'restore']).nullable(),
  state: RespawnStateName,
  since: When,
  /** The end of the next timer; null when only an event can move it. */
  until: When.nullable(),
  /** What happens next, in one sentence. */
  next: z.string(),
  paused: z.boolean(),
  /** Cycles begun since it was first started. */
  cycle: Count,
  /** When a timed run ends, and how many seconds of it are left. */
  ends_at: When.nullable(),
  seconds_left: Seconds.nullable(),
  block: z
    .object({
      reason: RespawnBlock,
      since: When,
      until: When.nullable(),
      evidence: z.array(Evidence),
    })
    .nullable(),
  layers: z.array(IdleLayer),
  confidence: z.number().min(0).max(100),
  timers: z.array(z.object({ timer: Timer, ends_at: When })),
  actions: z.array(z.object({ at: When, action: z.string(), detail: z.string() })).max(MAX_ACTIONS),
  idle_check: CheckerView,
  plan_check: CheckerView,
  breaker: z.object({
    status: z.enum(['closed', 'open', 'half_open']),
    cycles_without_progress: Count,
    until: When.nullable(),
  }),
  stuck_recoveries: Count,
  cycles: z.array(RespawnCycle).max(MAX_CYCLES_KEPT + 1),
});
export type RespawnView = z.infer<typeof RespawnView>;
