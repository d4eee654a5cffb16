/** Evidence of an agent, as tests compose it. */
import { assess } from '../../../server/agents/reading/assess.ts';
import type { Assessment, Evidence } from '../../../server/agents/reading/evidence.ts';
import { type HookFacts, NO_HOOK_FACTS } from '../../../server/agents/hooks/hook-facts.ts';
import type { ScreenReading } from '../../../server/agents/screen/screen-reading.ts';
import type { RecordReading } from '../../../server/agents/records/status-record.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');
export const NOTHING: Evidence = {
  front: 'agent',
  record: null,
  screen: null,
  hooks: null,
  transcript: null,
  statusLine: null,
};

export function record(
  status: RecordReading['status'],
  ago = 10_000,
  waitingFor: string | null = null,
) {
  return { status, waitingFor, sessionId: 's', version: '2.1.329', changedAtMs: NOW - ago };
}

export function screen(state: ScreenReading['state'], more: Partial<ScreenReading> = {}, ago = 0) {
  const reading: ScreenReading = {
    state,
    cause: 'none',
    detail: null,
    untilText: null,
    box: 'empty',
    ...more,
  };
  return { reading, takenAtMs: NOW - ago };
}

export function hooks(facts: Partial<HookFacts>): HookFacts {
  return { ...NO_HOOK_FACTS, ...facts };
}

export function now(evidence: Partial<Evidence>, before: Assessment | null = null): string {
  const { state, cause, witness } = assess({ ...NOTHING, ...evidence }, before, NOW);
  return `${state} ${cause} by ${witness}`;
}

const LIMIT = { cause: 'five_hour', untilText: '1:14pm (UTC)' } as const;
export const LIMITED = {
  atMs: NOW - 9_000,
  cause: 'rate_limit',
  text: 'limit',
  limit: LIMIT,
} as const;
