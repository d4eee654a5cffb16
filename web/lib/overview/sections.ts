/** Sorts sessions, tasks and runs into sections: needs a person, waiting, working, done recently, idle. Pure. */
import type { AgentState, AgentStateName } from '$shared/schema/agents/agent-state.ts';
import type { Loop } from '$shared/schema/model.ts';
import { entryFor } from '$shared/words/entry-for.ts';
import { type SectionName, SECTIONS } from './section-name.ts';
import type { Entry, Tile } from './tiles/tile.ts';

export type Sections = Readonly<Record<SectionName, readonly Entry[]>>;

/** At most so many are listed as done; older ones are on their pages and in the history. */
export const DONE_LISTED = 12;

export function sectionOf(entry: Entry): SectionName {
  return entry.kind === 'session' ? sessionSection(entry) : entry.section;
}

function sessionSection({ items, reading, session, past }: Tile): SectionName {
  const loop = reading?.loop ?? null;
  const agent = session?.agent ?? null;
  if (items.length > 0 || loop?.status === 'failed' || needsPerson(agent, loop)) return 'needs';
  if (loop !== null && loop.status !== 'stopped') return isWaiting(loop) ? 'waiting' : 'working';
  const section = agent === null ? 'idle' : agentSection(agent.state);
  if (section !== 'idle') return section;
  // Between two prompts of respawn its agent is ready, and the work is not over.
  if (session?.owner === 'respawn') return 'working';
  return past === null ? 'idle' : 'done';
}

/** Where an agent without a loop belongs. Of a state that is not known, a person must look. */
export function agentSection(state: AgentStateName): SectionName {
  return entryFor(AGENT_SECTION, state, () => 'needs');
}

const AGENT_SECTION: Record<AgentStateName, SectionName> = {
  waiting: 'needs',
  unknown: 'needs',
  errored: 'needs',
  limited: 'waiting',
  retrying: 'waiting',
  starting: 'working',
  working: 'working',
  compacting: 'working',
  background: 'working',
  running: 'working',
  ready: 'idle',
  interrupted: 'idle',
  exited: 'idle',
};

/** After an error a loop makes its agent continue; without a loop a person must. */
function needsPerson(agent: AgentState | null, loop: Loop | null): boolean {
  if (agent === null) return false;
  if (agent.state === 'errored' && loop !== null) return false;
  return agentSection(agent.state) === 'needs';
}

function isWaiting({ status, wait }: Loop): boolean {
  return status === 'quota_wait' || status === 'restart_wait' || wait !== null;
}

/** When it continues on its own, in milliseconds; null if unknown. */
export function resumesAt(entry: Entry): number | null {
  if (entry.kind !== 'session') return entry.until === null ? null : Date.parse(entry.until);
  const until = entry.reading?.loop.wait?.until ?? entry.session?.agent?.until ?? null;
  return until === null ? null : Date.parse(until);
}

/** When it ended, in milliseconds; 0 if it has not. */
function endedAt(entry: Entry): number {
  const at = entry.kind === 'session' ? (entry.past?.ended_at ?? null) : entry.endedAt;
  return at === null ? 0 : Date.parse(at);
}

/** Since when a person is needed, in milliseconds; Infinity if unknown, so that it comes last. */
function neededSince(entry: Entry): number {
  const raised = entry.items[0]?.raised_at;
  if (entry.kind !== 'session') return Date.parse(raised ?? entry.since);
  const { reading, session } = entry;
  const at = raised ?? reading?.loop.stop_evidence[0]?.at ?? session?.agent?.since;
  return at === undefined ? Infinity : Date.parse(at);
}

const ORDER: Record<SectionName, (entry: Entry) => number> = {
  needs: neededSince,
  waiting: (entry) => resumesAt(entry) ?? Infinity,
  working: () => 0,
  done: (entry) => -endedAt(entry),
  idle: () => 0,
};

/**
 * Each section: oldest request, earliest resume or latest end first, equal ones in the order of
 * listing. Of those done only the latest `DONE_LISTED` are listed; an open session beyond them is
 * idle.
 */
export function groupEntries(entries: readonly Entry[]): Sections {
  const sections = emptySections<Entry>();
  for (const entry of entries) sections[sectionOf(entry)].push(entry);
  for (const name of SECTIONS) {
    const order = ORDER[name];
    // Stable: equal ones stay sorted by name. Infinity minus itself is NaN.
    sections[name].sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }
  const older = new Set(sections.done.splice(DONE_LISTED).filter(isOpenSession));
  if (older.size === 0) return sections;
  const isIdle = (entry: Entry): boolean => older.has(entry) || sections.idle.includes(entry);
  return { ...sections, idle: entries.filter(isIdle) };
}

export function emptySections<Item>(): Record<SectionName, Item[]> {
  return { needs: [], waiting: [], working: [], done: [], idle: [] };
}

function isOpenSession(entry: Entry): boolean {
  return entry.kind === 'session' && entry.session !== null;
}
