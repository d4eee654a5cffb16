/** The script the stand-in plays instead of thinking: what a turn prints, writes and runs into. */
import { z } from 'zod';
import {
  SignalCheckpoint,
  SignalNext,
  SignalResult,
  SignalStep,
} from '../shared/schema/loops/auto-signal.ts';

/** The longest delay a Node timer can hold. */
const MAX_DELAY_MS = 2_147_483_647;

const Delay = z.int().min(0).max(MAX_DELAY_MS);
const ExitCode = z.int().min(0).max(255);
const Lines = z.array(z.string());

const ScenarioSignal = z.strictObject({
  step: SignalStep,
  result: SignalResult,
  next: SignalNext,
  checkpoint: SignalCheckpoint.default(''),
  /** Default: the number of steps this process has completed, from 1. */
  iteration: z.int().min(0).optional(),
});
export type ScenarioSignal = z.infer<typeof ScenarioSignal>;

const Tokens = z.strictObject({
  input: z.int().min(0).default(0),
  output: z.int().min(0).default(0),
  cacheRead: z.int().min(0).default(0),
  cacheCreation: z.int().min(0).default(0),
});

/** Works, prints its lines on the way, then reports with a signal. */
const Step = z.strictObject({
  do: z.literal('step'),
  work_ms: Delay.optional(),
  say: Lines.default([]),
  /** Spent by the time it ends, where the clients of this home share a plan. */
  tokens: Tokens.optional(),
  signal: ScenarioSignal,
});

/** Writes any text in place of a signal: torn, hostile or foreign content. */
const RawSignal = z.strictObject({ do: z.literal('raw_signal'), text: z.string() });

/** Looks alive in the process table and dead otherwise: not one byte for a while. */
const Silence = z.strictObject({ do: z.literal('silence'), ms: Delay });

const Say = z.strictObject({ do: z.literal('say'), lines: Lines });

/** Dies; with `times` only that often over all restarts, afterwards the step is skipped. */
const Crash = z
  .strictObject({
    do: z.literal('crash'),
    code: ExitCode.optional(),
    signal: z.enum(['SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGTERM', 'SIGHUP', 'SIGINT']).optional(),
    times: z.int().min(1).optional(),
  })
  .refine((crash) => crash.code === undefined || crash.signal === undefined, {
    error: 'takes a code or a signal, not both',
  });

/** From here on, or for `ms`, this process ignores the stop file, SIGINT, SIGTERM and Escape. */
const Deaf = z.strictObject({ do: z.literal('deaf'), ms: Delay.optional() });

/** Exits at once, at every start that gets this far. */
const Exit = z.strictObject({ do: z.literal('exit'), code: ExitCode });

/**
 * Asks before it runs a command, as a client without that permission does; after `default_ms` it
 * runs it.
 */
const Ask = z.strictObject({
  do: z.literal('ask'),
  command: z.string().min(1),
  description: z.string().default(''),
  default_ms: Delay.optional(),
});

/** Reaches a usage limit; continues on its own when it is over, or when prompted. */
const Limit = z.strictObject({
  do: z.literal('limit'),
  ms: Delay,
  text: z.string().optional(),
  by_itself: z.boolean().default(true),
  window: z.enum(['five_hour', 'seven_day']).default('five_hour'),
});

/** Ends its turn without a signal, on these lines or on a failed request, and waits for input. */
const Pause = z.strictObject({
  do: z.literal('pause'),
  say: Lines.default([]),
  error: z
    .enum(['overloaded', 'server_error', 'billing_error', 'authentication_failed'])
    .optional(),
});

export const ScenarioStep = z.discriminatedUnion('do', [
  Step,
  RawSignal,
  Silence,
  Say,
  Crash,
  Deaf,
  Exit,
  Ask,
  Limit,
  Pause,
]);
export type ScenarioStep = z.infer<typeof ScenarioStep>;

/** Presents a plan and waits for its approval. */
const Plan = z.strictObject({ do: z.literal('plan'), lines: Lines.min(1) });

/** Asks a person to choose. */
const Question = z.strictObject({
  do: z.literal('question'),
  question: z.string().min(1),
  header: z.string().min(1),
  options: z.array(z.string().min(1)).min(2).max(4),
});

/** Changes a file of its directory and commits it. */
const Commit = z.strictObject({ do: z.literal('commit'), message: z.string().min(1) });

/** What it does when it is only talked to. */
export const TalkStep = z.discriminatedUnion('do', [Say, Ask, Limit, Plan, Question, Commit]);
export type TalkStep = z.infer<typeof TalkStep>;

/** Answers of a model that is asked about a terminal, one after the other; the last one repeats. */
const Verdicts = z.strictObject({
  idle: z.array(z.enum(['IDLE', 'WORKING', 'error'])).default([]),
  plan: z.array(z.enum(['PLAN_MODE', 'NOT_PLAN_MODE', 'error'])).default([]),
});
export type Verdicts = z.infer<typeof Verdicts>;

export const Scenario = z.strictObject({
  title: z.string().optional(),
  status_record: z.boolean().default(false),
  after: z.enum(['exit', 'idle']).default('idle'),
  exit_code: ExitCode.default(0),
  /** False: like a client without the loop command installed. */
  knows_command: z.boolean().default(true),
  /** Older clients deleted their last signal at once; readers must not rely on it. */
  remove_signal_at_end: z.boolean().default(false),
  steps: z.array(ScenarioStep).default([]),
  /** The nth turn that is no loop plays the nth list; after the last one the first follows. */
  talk: z.array(z.array(TalkStep)).default([]),
  verdicts: Verdicts.optional(),
});
export type Scenario = z.infer<typeof Scenario>;
