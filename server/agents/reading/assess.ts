/**
 * Derives one state from evidence, in order of trust: the foreground process, then the client's own
 * record, then its screen. Hooks and transcript explain a state but never decide it. Pure.
 */
import { agentGroup, type AgentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { isClientView } from '../../../shared/rules/events/client-view.ts';
import { viewText } from '../../../shared/words/sessions/agent-text.ts';
import type { Assessment, Evidence, Finding } from './evidence.ts';
import { idleFinding, resetOfDialog } from './idle-finding.ts';
import type { RecordedStatus } from '../records/status-record.ts';
import { untilOf } from './reset-time.ts';
import { waitingCause } from './waiting-cause.ts';

/** A dialog is drawn about half a second after the record reports it; measured in live runs. */
const DISAGREEMENT_MS = 2_000;

/** A client removes its record and clears its screen a moment before it ends. */
const DOUBT_MS = 2_000;

/** How long a client may take to draw something recognizable. */
const STARTING_MS = 10_000;

/** How long a client may take to record its first status; one that continues a long conversation is slow. */
const FIRST_STATUS_MS = 60_000;

/** Screens that refine a record's status; every other recognized one contradicts it. */
const COMPATIBLE: Record<RecordedStatus, readonly AgentGroup[]> = {
  starting: ['working'],
  running: ['working'],
  idle: ['idle', 'limited'],
  busy: ['working'],
  waiting: ['waiting'],
  shell: ['idle'],
};

export function assess(evidence: Evidence, before: Assessment | null, nowMs: number): Assessment {
  const conflictSinceMs = conflictSince(evidence, before);
  const disagrees =
    conflictSinceMs !== null &&
    evidence.screen !== null &&
    evidence.screen.takenAtMs - conflictSinceMs > DISAGREEMENT_MS;
  const finding = disagrees ? disagreement(evidence) : findingOf(evidence, before, nowMs);
  const doubtSinceMs = doubtSince(finding, before, nowMs);
  if (before !== null && doubtSinceMs !== null) {
    const seenAtMs = evidence.screen?.takenAtMs ?? nowMs;
    if (seenAtMs - doubtSinceMs <= DOUBT_MS) return { ...before, conflictSinceMs, doubtSinceMs };
  }
  const same = before?.state === finding.state && before.cause === finding.cause;
  return {
    ...finding,
    sinceMs: same ? before.sinceMs : sinceOf(finding, evidence, before, nowMs),
    conflictSinceMs,
    doubtSinceMs: null,
  };
}

/** Since when a known state is no longer recognized; null while there is nothing to doubt. */
function doubtSince(finding: Finding, before: Assessment | null, nowMs: number): number | null {
  if (finding.cause !== 'not_understood' || before === null) return null;
  if (['starting', 'exited', 'unknown'].includes(before.state)) return null;
  return before.doubtSinceMs ?? nowMs;
}

function findingOf(evidence: Evidence, before: Assessment | null, nowMs: number): Finding {
  const { front, record } = evidence;
  if (front === 'shell' || front === 'gone') return exited(evidence);
  // A person works in the shell that the agent has left, or another agent is starting.
  if (front === 'other' && before?.state === 'exited') return before;
  if (record === null) return screenFinding(evidence, before, nowMs);
  const view = openView(evidence);
  if (view !== null) return view;
  const seen = refines(evidence) ? evidence : { ...evidence, screen: null };
  const finding: Finding = {
    ...recorded(record.status),
    detail: null,
    witness: 'record',
    untilMs: null,
  };
  switch (record.status) {
    case 'running':
      return finding;
    case 'starting':
      return nowMs - record.changedAtMs <= FIRST_STATUS_MS
        ? finding
        : { ...finding, state: 'running' };
    case 'idle':
      return showsNoPrompt(evidence)
        ? nothingSeen(evidence, before, nowMs)
        : idleFinding(seen, before, nowMs);
    case 'busy':
      return busyFinding(seen, finding);
    case 'waiting': {
      const screen = seen.screen?.reading ?? null;
      const cause = waitingCause(record.waitingFor, { ...seen, screen }, record.changedAtMs);
      const untilMs = resetOfDialog(cause, seen, before, nowMs);
      return { ...finding, cause, detail: screen?.detail ?? record.waitingFor, untilMs };
    }
    case 'shell':
      return { ...finding, detail: seen.screen?.reading.detail ?? null };
  }
}

/**
 * The record does not know of the client's own views. The list of sessions replaces the
 * conversation; the others cover a turn that continues, or a dialog that must be answered.
 */
function openView({ record, screen }: Evidence): Finding | null {
  if (record === null || screen === null || screen.takenAtMs < record.changedAtMs) return null;
  const { state, cause, detail } = screen.reading;
  if (state !== 'waiting' || !isClientView(cause)) return null;
  const finding: Finding = { state, cause, detail, witness: 'screen', untilMs: null };
  if (cause === 'agents_view' || record.status === 'idle' || record.status === 'shell') {
    return finding;
  }
  if (record.status === 'busy') {
    return { ...finding, ...recorded('busy'), detail: viewText(cause), witness: 'record' };
  }
  return record.waitingFor === null || record.waitingFor === 'dialog open' ? finding : null;
}

/** The record alone does not prove a prompt: a screen drawn since must show it. */
function showsNoPrompt({ record, screen }: Evidence): boolean {
  return (
    record !== null && screen !== null && screen.takenAtMs >= record.changedAtMs && isSilent(screen)
  );
}

function recorded(status: RecordedStatus): Pick<Finding, 'state' | 'cause'> {
  if (status === 'shell') return { state: 'background', cause: 'shell' };
  if (status === 'busy') return { state: 'working', cause: 'none' };
  if (status === 'starting' || status === 'running') return { state: status, cause: 'none' };
  return { state: status === 'idle' ? 'ready' : 'waiting', cause: 'none' };
}

function busyFinding({ screen, hooks, record }: Evidence, finding: Finding): Finding {
  if (screen !== null) {
    const { state, cause, detail } = screen.reading;
    return { ...finding, state, cause, detail, untilMs: untilOf(screen, screen.takenAtMs) };
  }
  const compacting = hooks?.compactingSinceMs ?? null;
  if (compacting !== null) return { ...finding, state: 'compacting' };
  const stopped = hooks?.stop?.atMs ?? 0;
  const turnOver = stopped >= Math.max(hooks?.promptAtMs ?? 0, record?.changedAtMs ?? 0);
  return turnOver && (hooks?.subagents.length ?? 0) > 0
    ? { ...finding, cause: 'subagent' }
    : finding;
}

function screenFinding(evidence: Evidence, before: Assessment | null, nowMs: number): Finding {
  const { screen } = evidence;
  if (screen === null || isSilent(screen)) return nothingSeen(evidence, before, nowMs);
  const { state, cause, detail } = screen.reading;
  const finding: Finding = { state, cause, detail, witness: 'screen', untilMs: null };
  if (agentGroup(state) === 'idle' || state === 'limited') {
    return idleFinding(evidence, before, nowMs);
  }
  if (state === 'waiting') {
    const witnesses = { ...evidence, screen: screen.reading };
    const asked = waitingCause(null, witnesses, screen.takenAtMs);
    return { ...finding, cause: asked, untilMs: resetOfDialog(asked, evidence, before, nowMs) };
  }
  return { ...finding, untilMs: untilOf(screen, screen.takenAtMs) };
}

/** An agent that has shown nothing yet is starting; one that no longer shows anything is not. */
function nothingSeen(
  { front, screen }: Evidence,
  before: Assessment | null,
  nowMs: number,
): Finding {
  const fresh =
    before === null ||
    before.state === 'exited' ||
    (before.state === 'starting' &&
      (screen?.reading.state !== 'unknown' || nowMs - before.sinceMs < STARTING_MS));
  if (front === 'agent' && fresh) {
    return { state: 'starting', cause: 'none', detail: null, witness: 'process', untilMs: null };
  }
  const finding = { state: 'unknown', cause: 'not_understood' } as const;
  return { ...finding, detail: null, witness: 'screen', untilMs: null };
}

function exited({ hooks }: Evidence): Finding {
  const leftByPerson =
    hooks?.end?.reason === 'prompt_input_exit' || hooks?.end?.reason === 'logout';
  const finding = { state: 'exited', detail: null, witness: 'process', untilMs: null } as const;
  return { ...finding, cause: leftByPerson ? 'by_person' : 'none' };
}

function disagreement({ record, screen }: Evidence): Finding {
  const detail = `the record says ${record?.status ?? '?'}, the screen ${screen?.reading.state ?? '?'}`;
  return { state: 'unknown', cause: 'disagreement', detail, witness: 'record', untilMs: null };
}

/** Is the screen newer than the record, and does it show the same more precisely? */
function refines({ record, screen }: Evidence): boolean {
  if (record === null || screen === null || screen.takenAtMs < record.changedAtMs) return false;
  return !isSilent(screen) && COMPATIBLE[record.status].includes(agentGroup(screen.reading.state));
}

function isSilent({ reading }: NonNullable<Evidence['screen']>): boolean {
  return reading.state === 'unknown' || reading.state === 'exited' || reading.state === 'starting';
}

/** Since when a screen taken after the record's last change has contradicted it. */
function conflictSince(evidence: Evidence, before: Assessment | null): number | null {
  const { front, record, screen } = evidence;
  if (front === 'shell' || front === 'gone' || record === null || screen === null) return null;
  if (screen.takenAtMs < record.changedAtMs || isSilent(screen) || refines(evidence)) return null;
  if (isClientView(screen.reading.cause)) return null;
  const known = before?.conflictSinceMs ?? null;
  return known !== null && known >= record.changedAtMs ? known : screen.takenAtMs;
}

function sinceOf(
  finding: Finding,
  { record, screen }: Evidence,
  before: Assessment | null,
  nowMs: number,
): number {
  if (finding.cause === 'disagreement') return nowMs;
  const known =
    finding.witness === 'record'
      ? record?.changedAtMs
      : finding.witness === 'screen'
        ? screen?.takenAtMs
        : undefined;
  const earliest = before?.sinceMs ?? 0;
  return Math.min(nowMs, Math.max(known ?? nowMs, earliest));
}
