/**
 * Why an agent is at its prompt: done, stopped, failed, at a usage limit. Only record and screen
 * decide that it is there.
 */
import type { AgentCause } from '../../../shared/schema/agents/agent-state.ts';
import { type LimitLine, readLimitLine } from '../failure-patterns.ts';
import type { Assessment, Evidence, Finding } from './evidence.ts';
import { untilOf } from './reset-time.ts';

/** The client writes the end of a failed turn right after its failure. */
const SAME_MOMENT_MS = 2_000;

interface Ending {
  atMs: number;
  finding: Pick<Finding, 'state' | 'cause' | 'detail' | 'witness' | 'untilMs'>;
}

/** For an agent whose turn is over. */
export function idleFinding(evidence: Evidence, before: Assessment | null, nowMs: number): Finding {
  const { screen } = evidence;
  const ending = newestEnding(evidence, nowMs);
  const reported = ending === null || isOver(ending, nowMs) ? null : ending.finding;
  if (screen !== null) {
    const { state, cause, detail } = screen.reading;
    const seen: Finding = { state, cause, detail, witness: 'screen', untilMs: null };
    if (state === 'limited') return limitSeen(seen, reported, evidence, before);
    // Hooks and transcript come before the drawing; a screen drawn later is more recent.
    const newer = ending === null || screen.takenAtMs - ending.atMs > SAME_MOMENT_MS;
    if (state === reported?.state) return { ...reported, detail: detail ?? reported.detail };
    if (reported?.state === 'limited') return reported;
    if (state !== 'ready' && newer) return seen;
    if (reported === null || newer) return { ...base(evidence), cause, detail };
  }
  return reported ?? base(evidence);
}

function base({ record }: Evidence): Finding {
  const witness = record === null ? 'screen' : 'record';
  return { state: 'ready', cause: 'none', detail: null, witness, untilMs: null };
}

/**
 * An exact time is better than the text on the screen, and its first reading better than a later
 * one.
 */
function limitSeen(
  seen: Finding,
  reported: Ending['finding'] | null,
  evidence: Evidence,
  before: Assessment | null,
): Finding {
  const exact = reported?.state === 'limited' ? reported.untilMs : null;
  const line = limitOfStatusLine(seen.cause, evidence);
  const kept = before?.state === 'limited' && before.detail === seen.detail ? before.untilMs : null;
  const shown =
    evidence.screen === null ? null : untilOf(evidence.screen, evidence.screen.takenAtMs);
  return { ...seen, untilMs: exact ?? line ?? kept ?? shown };
}

/** The reset of the limit that a dialog of the client is about; null for any other dialog. */
export function resetOfDialog(
  cause: AgentCause,
  evidence: Evidence,
  before: Assessment | null,
  nowMs: number,
): number | null {
  const { screen } = evidence;
  if (cause !== 'dialog' || screen === null || screen.reading.untilText === null) return null;
  const ending = newestEnding(evidence, nowMs)?.finding;
  const exact = ending?.state === 'limited' ? ending.untilMs : null;
  const kept = before?.detail === screen.reading.detail ? before.untilMs : null;
  return exact ?? limitOfStatusLine('none', evidence) ?? kept ?? untilOf(screen, screen.takenAtMs);
}

function limitOfStatusLine(cause: AgentCause, { statusLine }: Evidence): number | null {
  const full = [
    cause === 'weekly' ? null : statusLine?.fiveHour,
    cause === 'five_hour' ? null : statusLine?.weekly,
  ]
    .filter((limit) => limit !== null && limit !== undefined)
    .filter((limit) => limit.usedPercent >= 100);
  return full.length === 0 ? null : Math.max(...full.map(({ resetsAtMs }) => resetsAtMs));
}

/**
 * The newest end that hooks and transcript report; null when a turn has started or ended since. For
 * the same end the transcript wins: it knows the exact time of a reset.
 */
function newestEnding(evidence: Evidence, nowMs: number): Ending | null {
  const { hooks, transcript } = evidence;
  const endings = [...hookEndings(evidence, nowMs), ...transcriptEndings(evidence)];
  const ending = endings.reduce<Ending | null>(
    (newest, other) =>
      newest === null || other.atMs >= newest.atMs - SAME_MOMENT_MS ? other : newest,
    null,
  );
  if (ending === null || ending.atMs < (hooks?.promptAtMs ?? 0)) return null;
  const doneAtMs = Math.max(hooks?.stop?.atMs ?? 0, transcript?.turnEndAtMs ?? 0);
  return doneAtMs > ending.atMs + SAME_MOMENT_MS ? null : ending;
}

function hookEndings({ hooks, statusLine }: Evidence, nowMs: number): Ending[] {
  if (hooks?.failure === null || hooks?.failure === undefined) return [];
  const { atMs, cause, text, limit } = hooks.failure;
  const detail = text?.slice(0, 300) ?? null;
  if (limit === null)
    return [{ atMs, finding: { state: 'errored', cause, detail, witness: 'hook', untilMs: null } }];
  const line = limitOfStatusLine(limit.cause, { statusLine } as Evidence);
  const untilMs = line ?? resetInText(limit, Math.min(atMs, nowMs));
  return [
    { atMs, finding: { state: 'limited', cause: limit.cause, detail, witness: 'hook', untilMs } },
  ];
}

/** Known to the minute. */
function resetInText({ cause, untilText }: LimitLine, atMs: number): number | null {
  return untilOf(
    { reading: { state: 'limited', cause, detail: null, untilText, box: 'none' } },
    atMs,
  );
}

function transcriptEndings({ transcript }: Evidence): Ending[] {
  const endings: Ending[] = [];
  const interruptedAtMs = transcript?.interruptedAtMs ?? null;
  const shared = { witness: 'transcript' as const, untilMs: null };
  if (interruptedAtMs !== null) {
    endings.push({
      atMs: interruptedAtMs,
      finding: { ...shared, state: 'interrupted', cause: 'none', detail: null },
    });
  }
  const error = transcript?.error ?? null;
  if (error !== null) {
    const { atMs, limit } = error;
    const detail = error.text?.slice(0, 300) ?? null;
    // Older clients write the text alone.
    const line = readLimitLine(error.text ?? '');
    const finding =
      limit === null
        ? { ...shared, state: 'errored' as const, cause: error.cause, detail }
        : {
            ...shared,
            state: 'limited' as const,
            cause: limit.cause,
            detail,
            untilMs: limit.resetsAtMs ?? (line && resetInText(line, atMs)),
          };
    endings.push({ atMs, finding });
  }
  return endings;
}

/** A limit that is over holds nothing back. */
function isOver({ finding }: Ending, nowMs: number): boolean {
  return finding.state === 'limited' && finding.untilMs !== null && finding.untilMs <= nowMs;
}
