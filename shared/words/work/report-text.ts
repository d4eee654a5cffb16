/** Texts of the report: the same on the page, in the shell and as Markdown. */
import { historyState } from '../../rules/events/history-state.ts';
import { runTitle } from '../../rules/work/run-title.ts';
import type { RespawnBlock } from '../../rules/respawn/respawn-names.ts';
import type { Reason } from '../../schema/reasons.ts';
import type {
  Report,
  ReportKind,
  ReportNeed,
  ReportSeconds,
  ReportShare,
  ReportUnit,
  ReportWord,
  WorkUnit,
} from '../../schema/usage/report.ts';
import { countText } from '../count-text.ts';
import { entryFor } from '../entry-for.ts';
import { historyText } from './history-text.ts';
import { reasonText } from '../reason-text.ts';
import { folderOf } from '../sessions/found-text.ts';
import { RESPAWN_BLOCK_TEXT } from './respawn-text.ts';
import type { Tone } from '../tone.ts';

export const REPORT_KIND_TEXT: Record<ReportKind, string> = {
  loop: 'Loop',
  task: 'Task',
  run: 'Run',
  respawn: 'Respawn',
  session: 'Session',
  found: 'Found session',
};

export function reportKindText(kind: ReportKind): string {
  return entryFor(REPORT_KIND_TEXT, kind, (label) => label);
}

/** In the order in which they are shown. */
export const REPORT_SHARE_TEXT: Record<ReportShare, string> = {
  working: 'working',
  waiting: 'waiting for a person',
  quota: 'waiting for quota',
  recovering: 'recovering',
  queued: 'queued or starting',
  stopped: 'idle or stopped',
};
export const REPORT_SHARES = Object.keys(REPORT_SHARE_TEXT) as ReportShare[];

type Named = Pick<WorkUnit, 'kind' | 'name' | 'asked' | 'project'>;

/**
 * What people call it. A run has the name it has everywhere. A found session has none of its own, and
 * its id is its process and when that started: it is called by the directory it works in.
 */
export function unitName({ kind, name, asked, project }: Named): string {
  if (kind === 'run' && asked !== null) return runTitle(asked);
  if (kind !== 'found') return name;
  const pid = `pid ${name.split('-')[0] ?? name}`;
  return project === null ? pid : `${folderOf(project)} (${pid})`;
}

/** Its name within a sentence: that of a run is one itself. */
export function unitInText(unit: Named): string {
  return unit.kind === 'run' ? `“${unitName(unit)}”` : unitName(unit);
}

/** What was asked beyond its name; null where the name says it all. */
export function unitAsked(unit: Named): string | null {
  const name = unitName(unit);
  const asked = unit.asked?.trim() ?? '';
  const rest = unit.kind === 'run' && asked.startsWith(name) ? asked.slice(name.length) : asked;
  return rest.trim() === '' || asked === name ? null : rest.trim();
}

/** How it ended, or where it is. */
export function unitState(unit: Pick<WorkUnit, 'state' | 'waits_for' | 'outcome'>): {
  label: string;
  tone: Tone;
} {
  const { label, tone } = historyText(historyState(unit));
  if (unit.waits_for === 'start') return { label: 'Starting', tone };
  return unit.waits_for === 'stop' ? { label: 'Stopping', tone } : { label, tone };
}

/** Null where the state says it all. */
export function unitReason({ reason }: Pick<WorkUnit, 'reason'>): string | null {
  if (reason === null) return null;
  return Object.hasOwn(RESPAWN_BLOCK_TEXT, reason)
    ? RESPAWN_BLOCK_TEXT[reason as RespawnBlock].label
    : reasonText(reason as Reason).label;
}

const WORD_TEXT: Record<ReportWord, string> = {
  checks: 'ended by the checks',
  model: 'ended by a model',
  agent: 'ended by its agent, unconfirmed',
  person: 'ended by a person',
  limit: 'ended by a limit',
  daemon: 'seen by Loopwatch',
};

/** "ended by the checks": who says how it ended. Null while it is open. */
export function wordText({ word, word_by }: Pick<WorkUnit, 'word' | 'word_by'>): string | null {
  if (word === null) return null;
  return word_by === null ? WORD_TEXT[word] : `ended by ${word_by}`;
}

/** What a person reads for the codes of the API. */
export const PROOF_LABEL: Record<NonNullable<ReportUnit['proof']>['state'], string> = {
  proven: 'Verified',
  unproven: 'Unverified',
  refuted: 'Checks failed',
};

/** "Verified: 3 checks at a1b2c3d". Null where nothing was checked. */
export function proofText({ proof }: Pick<WorkUnit, 'proof'>): string | null {
  if (proof === null) return null;
  const failed = proof.checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const what = failed.length > 0 ? failed.join(', ') : countText(proof.checks.length, 'check');
  const where = proof.commit === null ? '' : ` at ${proof.commit.slice(0, 7)}`;
  return `${PROOF_LABEL[proof.state]}: ${what}${where}`;
}

export const NEED_TEXT: Record<ReportNeed['kind'], string> = {
  answer: 'Answer',
  decide: 'Decide',
  review: 'Review',
};

/** "8 h 5 min", "12 min" or "40 s". */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** The shares that took time, as text. */
export function secondsText(seconds: ReportSeconds): string {
  const spent = REPORT_SHARES.filter((share) => seconds[share] >= 1);
  const parts = spent.map((share) => `${spanText(seconds[share])} ${REPORT_SHARE_TEXT[share]}`);
  return parts.length === 0 ? 'under a second' : parts.join(', ');
}

/** "+120 −4 in 3 files, 2 commits". */
export function branchText(branch: ReportUnit['branches'][number]): string {
  const { commits, files, additions, deletions, uncommitted } = branch;
  const held = uncommitted === 0 ? '' : `, ${countText(uncommitted, 'uncommitted file')}`;
  return `+${additions} −${deletions} in ${countText(files, 'file')}, ${countText(commits, 'commit')}${held}`;
}

/** The whole night in one line. */
export function totalsText({ units, totals }: Report): string {
  const { completed, proven, ended_otherwise: otherwise, open } = totals;
  const parts = [
    ...(completed === 0 ? [] : [`${completed} completed (${proven} verified)`]),
    ...(otherwise === 0 ? [] : [`${otherwise} ended otherwise`]),
    ...(open === 0 ? [] : [`${open} open`]),
  ];
  if (units.length === 0) return 'No work in this time';
  return `${countText(units.length, 'item')}: ${parts.join(', ')}`;
}

/** Null where no client reported a cost. */
export function usedText({ cost }: ReportUnit['used']['total']): string | null {
  return cost === null ? null : `$${(cost.micro_usd / 1e6).toFixed(2)}`;
}
