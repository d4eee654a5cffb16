/** What respawn does now, and what stands in its way with the next step. Pure. */
import type { BadgeStyle, Mark, Tone } from '$lib/ui/tone.ts';
import type { RespawnBlock, RespawnCheck } from '$shared/rules/respawn/respawn-names.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Evidence } from '$shared/schema/events/evidence.ts';
import type { RespawnView } from '$shared/schema/loops/respawn.ts';
import { respawnBlockText, respawnStateText } from '$shared/words/work/respawn-text.ts';

export interface RespawnNotice {
  key: string;
  tone: Tone;
  mark: Mark;
  title: string;
  /** Why, and what to do or what happens next. */
  text: string;
  since: string | null;
  until: string | null;
  evidence: readonly Evidence[];
  /** It explains the state as a whole; the others add to it. */
  saysNext: boolean;
  /** Switched off after errors; a person may turn it on again. */
  check?: RespawnCheck;
}

export type RespawnMove = Extract<EventRecord, { type: 'respawn.state' }>;

const STATE_MARK: Record<Tone, Mark> = {
  good: 'tick',
  work: 'disc',
  wait: 'clock',
  fail: 'cross',
  idle: 'ring',
};

/** Reasons that do not pass until a person acts. */
const NEEDS_PERSON: readonly RespawnBlock[] = [
  'no_agent',
  'agent_exited',
  'unknown_screen',
  'waiting_for_person',
  'agent_error',
  'interrupted',
  'reported_done',
  'reported_blocked',
  'stuck',
];

/** Nothing is wrong: the agent is simply not done. */
const NORMAL: readonly RespawnBlock[] = ['working', 'background_work'];

export function statusBadge({ state, paused, block }: RespawnView): BadgeStyle {
  if (state === 'stopped') return { label: 'Stopped', tone: 'idle', mark: 'dash' };
  if (paused) return { label: 'Paused', tone: 'wait', mark: 'square' };
  if (block !== null && NORMAL.includes(block.reason)) {
    return { label: respawnBlockText(block.reason).label, tone: 'work', mark: 'disc' };
  }
  if (block !== null) {
    const tone = NEEDS_PERSON.includes(block.reason) ? 'fail' : 'wait';
    const mark = tone === 'fail' ? 'half' : 'clock';
    return { label: respawnBlockText(block.reason).label, tone, mark };
  }
  const { label, tone } = respawnStateText(state);
  return { label, tone, mark: STATE_MARK[tone] };
}

/** It has a configuration, and was never started. */
export function isUntouched({ runs }: RespawnView): boolean {
  return runs === 0;
}

/** The newest change of state. `events` are the newest first. */
export function lastMove(events: readonly EventRecord[]): RespawnMove | null {
  return events.find((event): event is RespawnMove => event.type === 'respawn.state') ?? null;
}

/** The most important one first. `lastMove` is the newest change of state, if it is known. */
export function noticesOf(view: RespawnView, lastMove: RespawnMove | null): RespawnNotice[] {
  if (view.state === 'stopped') return [stoppedNotice(view, lastMove)];
  const notices: RespawnNotice[] = [];
  if (view.paused) notices.push(pausedNotice(view));
  const isBlocked = view.block !== null && !NORMAL.includes(view.block.reason);
  if (view.block !== null && isBlocked) notices.push(blockNotice(view.block, view));
  else if (view.breaker.status === 'half_open') notices.push(trialNotice(view));
  for (const check of ['idle', 'plan'] as const) {
    if (view[`${check}_check`].status === 'disabled') notices.push(checkNotice(check, view));
  }
  return notices;
}

/** Why it stopped, where no person did it. */
const STOPPED: Partial<Record<NonNullable<RespawnView['stopped_by']>, string>> = {
  clock: 'Time limit reached',
  config: 'Turned off in the configuration',
  restore: 'Stopped, because the database was restored from a backup',
};

function stoppedNotice(view: RespawnView, move: RespawnMove | null): RespawnNotice {
  const last = move?.data.state === 'stopped' ? move.data : null;
  const by = last?.author === undefined ? '' : ` by ${last.author}`;
  return {
    ...NO_TIMES,
    key: 'stopped',
    tone: 'idle',
    mark: 'dash',
    title: STOPPED[view.stopped_by ?? 'person'] ?? `Stopped${by}`,
    text: `Nothing is sent any more. ${view.next}`,
    since: view.since,
    // The name of a person says as much.
    evidence: last?.author === undefined ? (last?.evidence ?? []) : [],
    saysNext: true,
  };
}

function pausedNotice(view: RespawnView): RespawnNotice {
  const since = view.actions.find(({ action }) => action === 'pause');
  const by = since === undefined || since.detail === '' ? '' : ` by ${since.detail}`;
  return {
    ...NO_TIMES,
    key: 'paused',
    tone: 'wait',
    mark: 'square',
    title: `Paused${by}`,
    text: 'Nothing is sent, and every timer keeps what is left of it. Resume it to continue.',
    since: since?.at ?? null,
    saysNext: true,
  };
}

function blockNotice(
  { reason, since, until, evidence }: NonNullable<RespawnView['block']>,
  { breaker }: RespawnView,
): RespawnNotice {
  const { label, next } = respawnBlockText(reason);
  const isUrgent = NEEDS_PERSON.includes(reason);
  const many = breaker.cycles_without_progress;
  const why =
    reason === 'circuit_open' ? `The last ${many} cycles changed nothing after their update. ` : '';
  return {
    key: `block ${reason}`,
    tone: isUrgent ? 'fail' : 'wait',
    mark: isUrgent ? 'half' : 'clock',
    title: label,
    text: why + next,
    since,
    until,
    evidence,
    saysNext: true,
  };
}

function trialNotice({ breaker }: RespawnView): RespawnNotice {
  const many = breaker.cycles_without_progress;
  return {
    ...NO_TIMES,
    key: 'trial',
    tone: 'wait',
    mark: 'half',
    title: 'One cycle to try',
    text: `${many} cycles changed nothing. This one decides: with progress it continues, without it pauses again.`,
  };
}

function checkNotice(check: 'idle' | 'plan', view: RespawnView): RespawnNotice {
  const { errors_in_a_row: errors, disabled_reason: reason } = view[`${check}_check`];
  const instead =
    check === 'idle' ? 'The other layers decide meanwhile.' : 'Plans wait for a person meanwhile.';
  return {
    ...NO_TIMES,
    key: `check ${check}`,
    tone: 'wait',
    mark: 'half',
    title: check === 'idle' ? 'AI idle check off' : 'AI plan check off',
    text: `${errors} errors in a row: ${reason ?? 'no reason given'}. ${instead} Turn it on again once the cause is fixed.`,
    check,
  };
}

const NO_TIMES = { since: null, until: null, evidence: [], saysNext: false } as const;
