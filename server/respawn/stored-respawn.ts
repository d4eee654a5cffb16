/** The state of respawn as it is stored: checked when it is read, because any program may write it. */
import { z } from 'zod';
import { Evidence } from '../../shared/schema/events/evidence.ts';
import {
  CycleOutcome,
  RespawnBlock,
  RespawnConfig,
  RespawnStep,
} from '../../shared/schema/loops/respawn.ts';
import { type ActiveState, RESPAWN_STATES } from '../../shared/rules/respawn/respawn-names.ts';
import { TIMERS_OF } from '../../shared/rules/respawn/respawn-timers.ts';
import { freshSigns } from './detection/signs.ts';
import type { RespawnState } from './machine/respawn-state.ts';

const Ms = z.number();
const At = z.string();
const Count = z.int().min(0);
const Known = z.number().nullable();
const Counts = z.object({ commits: Known, files: Known, tokens: Known });

const OPEN_CYCLE = {
  number: Count,
  startedAt: At,
  startedMs: Ms,
  steps: z.array(z.object({ step: RespawnStep, seconds: z.number() })),
  skipped: z.array(RespawnStep),
  atStart: Counts,
  afterUpdate: Counts.nullable(),
};
const OpenCycle = z.object(OPEN_CYCLE);
const PastCycle = z.object({
  ...OPEN_CYCLE,
  endedAt: At,
  endedMs: Ms,
  outcome: CycleOutcome,
  changed: Counts,
  progress: z.boolean().nullable(),
});

const SENDING = { cycle: OpenCycle, input: z.string().nullable() };
const WAITING = { cycle: OpenCycle, sentMs: Ms };
const KNOWS: Record<ActiveState, z.ZodRawShape> = {
  watching: { planCheck: z.string().nullable() },
  confirming_idle: { signMs: Ms, isReported: z.boolean() },
  ai_checking: { check: z.string() },
  sending_update: SENDING,
  waiting_update: WAITING,
  sending_clear: SENDING,
  waiting_clear: WAITING,
  sending_init: SENDING,
  waiting_init: WAITING,
  monitoring_init: { cycle: OpenCycle },
  sending_kickstart: SENDING,
  waiting_kickstart: WAITING,
};

const Stopped = z.object({
  status: z.literal('stopped'),
  at: At.nullable(),
  by: z.enum(['person', 'clock', 'config', 'restore']).nullable(),
  author: z.string().nullable(),
});

/** A visit of each state with exactly its timers. */
const VISITS = RESPAWN_STATES.filter((state) => state !== 'stopped').map((status) =>
  z.object({
    status: z.literal(status),
    sinceMs: Ms,
    sinceAt: At,
    isWarned: z.boolean(),
    due: z.object(Object.fromEntries(TIMERS_OF[status].map((timer) => [timer, Ms.nullable()]))),
    ...KNOWS[status],
  }),
);

const LAST = {
  errors: Count,
  checks: Count,
  last: z
    .object({ verdict: z.string().nullable(), reasoning: z.string(), seconds: z.number() })
    .nullable(),
};
const Checker = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ready'), ...LAST }),
  z.object({ status: z.literal('checking'), id: z.string(), sinceMs: Ms, ...LAST }),
  z.object({ status: z.literal('cooldown'), untilMs: Ms, ...LAST }),
  z.object({ status: z.literal('disabled'), reason: z.string(), ...LAST }),
]);

const Breaker = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['closed', 'half_open']), misses: Count }),
  z.object({ status: z.literal('open'), misses: Count, untilMs: Ms }),
]);

/** Signs are of one daemon's life: what was seen before may be over. */
const Run = z
  .object({
    startedMs: Ms,
    startedAt: At,
    startedBy: z.string(),
    pausedAtMs: Ms.nullable(),
    endsMs: Ms.nullable(),
    graceEndsMs: Ms.nullable(),
    block: z
      .object({
        reason: RespawnBlock,
        since: At,
        until: At.nullable(),
        evidence: z.array(Evidence),
      })
      .nullable(),
    recoveries: Count,
    quota: z.enum(['free', 'limited', 'tried']),
  })
  .transform((run) => ({ ...run, signs: freshSigns(run.startedMs) }));

const KEPT = {
  session: z.string(),
  config: RespawnConfig,
  behindMs: Ms,
  runs: Count,
  cycles: Count,
  pending: z.string().nullable(),
  recent: z.array(PastCycle),
  actions: z.array(z.object({ at: At, action: z.string(), detail: z.string() })),
  checks: Count,
  idleChecker: Checker,
  planChecker: Checker,
  breaker: Breaker,
  settled: z.array(z.number()),
};

const Stored = z.union([
  z.object({ ...KEPT, run: z.null(), visit: Stopped }),
  z.object({ ...KEPT, run: Run, visit: z.union(VISITS) }),
]);

/** Throws a `ZodError` or a `SyntaxError` when it is not such a state. */
export function parseStored(text: string): RespawnState {
  return Stored.parse(JSON.parse(text)) as unknown as RespawnState;
}

export function toStored({ run, ...state }: RespawnState): string {
  const { signs: _, ...rest } = run ?? { signs: null };
  return JSON.stringify({ ...state, run: run === null ? null : rest });
}
