/** Steps of a schedule for the model of a run: inputs, what usually follows a stage, options. */
import fc from 'fast-check';
import type { MachineInput, Now } from '../../../server/runs/machine/run-state.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { StartRunBody } from '../../../shared/schema/runs/run-requests.ts';
import { checked, failed, replied, resumed, STOP } from './run-life.ts';

const errors = fc.constantFrom(
  'limit',
  'overloaded',
  'auth',
  'billing',
  'bad_session',
  'max_turns',
  'lost',
  'interrupted',
  'invalid_request',
  'crashed',
  'not_started',
  'unreadable',
);
const heard = fc.constantFrom('heard', 'not_heard', 'unknown');
const usage = fc.record({ inputTokens: fc.nat(9), outputTokens: fc.nat(60), costUsd: fc.nat(2) });
const context = fc.record({
  percent: fc.constantFrom(null, null, 20, 75, 90),
  isCompacted: fc.boolean(),
});
const said = fc.record({
  plan: fc.constantFrom('- [ ] one', '- [ ] two', '- [ ] three', ' '),
  review: fc.record({
    verdict: fc.constantFrom('pass', 'fail', 'fail', 'unclear'),
    findings: fc.constantFrom('', 'f'),
    signature: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
  }),
  question: fc.constantFrom(
    null,
    null,
    null,
    { kind: 'reply', text: 'yes' } as const,
    { kind: 'person', reason: 'question', question: 'which?' } as const,
  ),
});

/** One of each kind, as varied as possible. */
export const each = fc.record({
  resume: fc.constantFrom(null, null, ...WORK_PHASES).map((phase) => resumed(phase)),
  stop: fc.constant(STOP),
  granted: fc.constant<MachineInput>({ kind: 'granted' }),
  prepared: fc.constant<MachineInput>({ kind: 'prepared' }),
  prepare_failed: fc.constant<MachineInput>({ kind: 'prepare_failed', error: 'no' }),
  plan_accepted: fc.constant<MachineInput>({ kind: 'plan_accepted', author: 'Ada' }),
  spawned: fc.constant<MachineInput>({ kind: 'spawned', process: { pid: 7, startedAt: 't' } }),
  heard: fc
    .constantFrom('c1', 'c2')
    .map((conversationId): MachineInput => ({ kind: 'heard', conversationId })),
  replied: fc
    .tuple(said, usage, context)
    .map(([more, used, full]) => ({ ...replied(more, used), context: full })),
  turn_failed: fc
    .tuple(errors, heard, fc.constantFrom(null, 5_000))
    .map(([error, delivery, until]) => failed(error, delivery, until)),
  checked: fc
    .tuple(fc.constantFrom('', '', 's1', 's1', 's1', 's2', 's3'), fc.boolean(), fc.boolean())
    .map(([signature, changed, isNone]) =>
      checked(signature, { changed, ...(isNone && signature === '' ? { outcome: 'none' } : {}) }),
    ),
  ended: fc.constant<MachineInput>({ kind: 'ended' }),
  failed: fc.constant<MachineInput>({ kind: 'failed', error: 'git' }),
  tick: fc.constant<MachineInput>({ kind: 'tick' }),
  set_back: fc.nat(50_000).map((byMs): MachineInput => ({ kind: 'set_back', byMs })),
  restored: fc.constant<MachineInput>({ kind: 'restored' }),
  reported: fc.constant<MachineInput>({ kind: 'reported' }),
  not_merged: fc.constant<MachineInput>({ kind: 'not_merged', why: 'it conflicts' }),
  merged: fc.constant<MachineInput>({ kind: 'merged', into: 'main', commit: 'c', author: 'Ada' }),
});
export type Kind = keyof (typeof each extends fc.Arbitrary<infer Each> ? Each : never);
type StepInputs = Record<Kind, MachineInput>;

/** What usually follows in each stage. */
export const NEXT: Record<Now['stage'], readonly Kind[]> = {
  queued: ['granted', 'granted', 'granted', 'granted', 'stop'],
  preparing: ['prepared', 'prepared', 'prepared', 'prepared', 'prepare_failed', 'stop'],
  talking: [
    'spawned',
    'heard',
    'heard',
    'heard',
    'replied',
    'replied',
    'replied',
    'replied',
    'replied',
    'replied',
    'turn_failed',
    'turn_failed',
    'stop',
  ],
  checking: ['checked', 'checked', 'checked', 'checked', 'checked', 'failed', 'stop'],
  merging: ['merged', 'merged', 'not_merged', 'failed', 'stop', 'tick'],
  waiting: ['tick', 'tick', 'plan_accepted', 'plan_accepted', 'set_back', 'stop'],
  ending: ['ended', 'ended', 'replied', 'turn_failed', 'spawned', 'heard'],
  over: ['resume', 'resume', 'reported', 'merged'],
};

export const options: fc.Arbitrary<Omit<StartRunBody, 'prompt'>> = fc.record({
  review_plan: fc.boolean(),
  merge_into: fc.constantFrom(null, 'main'),
  max_fix_rounds: fc.constantFrom(0, 2, 3, 3),
  same_failure_limit: fc.constantFrom(2, 2, 3),
  max_minutes: fc.constantFrom(null, 1, 30),
  max_tokens: fc.constantFrom(null, 2_000),
  max_cost_usd: fc.constantFrom(null, 40),
  phases: fc.constantFrom({}, { fix: { max_cost_usd: 6 }, plan: { max_minutes: 1 } }),
});

/** `roll` decides: usually what follows, now and then words of a person, or anything at all. */
export const step = fc.record({ each, roll: fc.nat(15), pick: fc.nat(1_000), ms: fc.nat(9_000) });
export type Chosen = { each: StepInputs; roll: number; pick: number; ms: number };
