/** What needs a person now, the most valuable first. Pure. */
import { capitalized } from '../../shared/rules/text/capitalized.ts';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Reason } from '../../shared/schema/reasons.ts';
import type { ReportNeed, ReportUnit } from '../../shared/schema/usage/report.ts';
import { nextStep, whomText } from '../../shared/words/attention-text.ts';
import { unitInText } from '../../shared/words/work/report-text.ts';

/** One cause that stops everything that shares it. */
const SHARED_CAUSES: readonly Reason[] = ['login_needed', 'budget', 'quota'];
const KINDS = ['answer', 'decide', 'review'] as const;

export interface NeedSources {
  units: readonly ReportUnit[];
  /** Open items of the inbox. */
  items: readonly AttentionItem[];
  /** By the name of a task: the tasks that start only after it. */
  dependents: ReadonlyMap<string, readonly string[]>;
}

export function needsOf(sources: NeedSources): ReportNeed[] {
  const { units, items } = sources;
  const asked = items.map((item) => fromItem(item, sources));
  const known = new Set(asked.flatMap(({ unit }) => unit ?? []));
  const others = units.flatMap((unit) =>
    known.has(unit.id) ? [] : (fromUnit(unit, sources) ?? []),
  );
  return [...asked, ...others].sort(mostValuableFirst);
}

function fromItem(item: AttentionItem, sources: NeedSources): ReportNeed {
  const { id, reason, title, raised_at } = item;
  const unit = unitOf(item, sources.units);
  const sharing = SHARED_CAUSES.includes(reason)
    ? sources.items.filter((other) => other.reason === reason).length - 1
    : 0;
  return {
    kind: unit?.state === 'ended' ? 'decide' : 'answer',
    // The title of an alert names it.
    title: item.subject.kind === 'alert' ? title : `${whomText(item)}: ${title}`,
    next: item.request === null ? nextStep(item) : 'Answer it in the inbox.',
    reason,
    since: raised_at,
    unit: unit?.id ?? null,
    blocks: sharing + (unit === null ? 0 : blockedBy(unit, sources)),
    link: `/inbox?item=${encodeURIComponent(id)}`,
  };
}

/** Its newest unit; a loop or respawn has the name of its session. */
function unitOf({ subject }: AttentionItem, units: readonly ReportUnit[]): ReportUnit | null {
  const kinds = subject.kind === 'session' ? ['loop', 'respawn', 'session'] : [subject.kind];
  const own = units.filter(({ kind, name }) => name === subject.id && kinds.includes(kind));
  own.sort((one, other) => Date.parse(other.opened_at) - Date.parse(one.opened_at));
  return own.find(({ state }) => state !== 'ended') ?? own[0] ?? null;
}

/** Of what has ended: completed work that is unverified or unmerged, and what ended otherwise. */
function fromUnit(unit: ReportUnit, sources: NeedSources): ReportNeed | null {
  const { outcome, closed_at: since, kind, branches, links, proof } = unit;
  if (outcome === null || since === null || kind === 'session' || kind === 'found') return null;
  const name = `${capitalized(kind)} ${unitInText(unit)}`;
  const about = { since, unit: unit.id, blocks: blockedBy(unit, sources) };
  const link = links.itself ?? links.state ?? '/history';
  if (outcome === 'failed' || outcome === 'exhausted') {
    const next = 'Read why, then continue or remove it.';
    const reason = unit.reason as Reason | null;
    return {
      kind: 'decide',
      title: `${name} ${outcome === 'failed' ? 'failed' : 'reached a limit'}`,
      next,
      reason,
      ...about,
      link,
    };
  }
  if (outcome !== 'completed') return null;
  const changed = branches.filter(({ commits, uncommitted }) => commits + uncommitted > 0);
  const isProven = proof?.state === 'proven';
  if (isProven && changed.length === 0) return null;
  const into = [...new Set(changed.map(({ base }) => base))].join(', ');
  const next = isProven
    ? `Review the changes, then merge them into ${into}.`
    : 'Check the result: no check of this machine verifies it.';
  const title = `${name} completed${isProven ? '' : ', unverified'}`;
  return { kind: 'review', title, next, reason: null, ...about, link: links.branches ?? link };
}

/** Open work that starts only after it, directly or through other tasks. */
function blockedBy(unit: ReportUnit, { units, dependents }: NeedSources): number {
  if (unit.kind !== 'task') return 0;
  const open = new Set(
    units.flatMap(({ kind, name, state }) => (kind === 'task' && state !== 'ended' ? name : [])),
  );
  const reached = new Set<string>();
  const queue = [unit.name];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const next of dependents.get(name) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(next);
    }
  }
  reached.delete(unit.name);
  return [...reached].filter((name) => open.has(name)).length;
}

/** Work that waits first, then what more depends on, then what has waited longest. */
function mostValuableFirst(one: ReportNeed, other: ReportNeed): number {
  return (
    KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
    other.blocks - one.blocks ||
    Date.parse(one.since) - Date.parse(other.since) ||
    one.link.localeCompare(other.link)
  );
}
