/** Sorts sessions into sections: needs a person, waiting, working, idle. Pure. */
import type { AgentState, AgentStateName } from '$shared/schema/agent-state.ts';
import type { Loop } from '$shared/schema/model.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { Tile } from './tile.ts';

/** In the order of the page. */
export const SECTIONS = ['needs', 'waiting', 'working', 'idle'] as const;
export type SectionName = (typeof SECTIONS)[number];

export const SECTION_STYLE: Record<SectionName, BadgeStyle> = {
  needs: { label: 'Needs you', tone: 'fail', mark: 'half' },
  waiting: { label: 'Waiting', tone: 'wait', mark: 'clock' },
  working: { label: 'Working', tone: 'work', mark: 'disc' },
  idle: { label: 'Idle', tone: 'idle', mark: 'dash' },
};

export type Sections = Readonly<Record<SectionName, readonly Tile[]>>;

export function sectionOf({ items, reading, session }: Tile): SectionName {
  const loop = reading?.loop ?? null;
  const agent = session?.agent ?? null;
  if (items.length > 0 || loop?.status === 'failed' || needsPerson(agent, loop)) return 'needs';
  if (loop !== null && loop.status !== 'stopped') return isWaiting(loop) ? 'waiting' : 'working';
  return agent === null ? 'idle' : agentSection(agent.state);
}

/** Where an agent without a loop belongs. */
export function agentSection(state: AgentStateName): SectionName {
  return AGENT_SECTION[state];
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
  ready: 'idle',
  interrupted: 'idle',
  exited: 'idle',
};

/** After an error a loop makes its agent continue; without a loop a person must. */
function needsPerson(agent: AgentState | null, loop: Loop | null): boolean {
  if (agent === null) return false;
  if (agent.state === 'errored' && loop !== null) return false;
  return AGENT_SECTION[agent.state] === 'needs';
}

function isWaiting({ status, wait }: Loop): boolean {
  return status === 'quota_wait' || status === 'restart_wait' || wait !== null;
}

/** When it continues on its own, in milliseconds; null if unknown. */
export function resumesAt({ reading, session }: Tile): number | null {
  const until = reading?.loop.wait?.until ?? session?.agent?.until ?? null;
  return until === null ? null : Date.parse(until);
}

/** Since when a person is needed, in milliseconds; Infinity if unknown, so that it comes last. */
function neededSince({ items, reading, session }: Tile): number {
  const at = items[0]?.raised_at ?? reading?.loop.stop_evidence[0]?.at ?? session?.agent?.since;
  return at === undefined ? Infinity : Date.parse(at);
}

const ORDER: Record<SectionName, (tile: Tile) => number> = {
  needs: neededSince,
  waiting: (tile) => resumesAt(tile) ?? Infinity,
  working: () => 0,
  idle: () => 0,
};

/** `tiles` sorted by name. Each section: oldest request or earliest resume first, then by name. */
export function groupTiles(tiles: readonly Tile[]): Sections {
  const sections: Record<SectionName, Tile[]> = { needs: [], waiting: [], working: [], idle: [] };
  for (const tile of tiles) sections[sectionOf(tile)].push(tile);
  for (const name of SECTIONS) {
    const order = ORDER[name];
    // Stable: equal ones stay sorted by name. Infinity minus itself is NaN.
    sections[name].sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }
  return sections;
}
