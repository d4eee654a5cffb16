/**
 * The map of the respawn table: a ring that is read clockwise from where a run begins, with one
 * lane inside it on which every state returns there. Everything follows from the rows: a changed
 * table draws itself. Rows that lead to `stopped` are left out, as every state has one. Pure.
 */
import { RESPAWN_STATES, type RespawnStateName } from '$shared/rules/respawn/respawn-names.ts';
import { RESPAWN_ROWS, type RespawnRow } from '$shared/rules/respawn/respawn-table.ts';
import { respawnStateText, RESPAWN_TRIGGER_TEXT } from '$shared/words/work/respawn-text.ts';

/** In units of the map, which are pixels where it is shown at its full width. */
export const NODE = { width: 118, height: 46 } as const;
const PITCH = NODE.width + 16;
const OUTSIDE = { width: 72, gap: 24 } as const;
/** For the outlines and marks of the states at the edge. */
const MARGIN = 5;
/** Above the ring for each state that a link passes. */
const ARC = 15;
const LANE_HEIGHT = 72;
/** From the middle of a state: links inside the ring leave on one side, returns on the other. */
const SIDE = 22;

export interface MapNode {
  state: RespawnStateName;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface MapLink {
  from: RespawnStateName;
  to: RespawnStateName;
  path: string;
  /** Both states, and what leads from one to the other. */
  title: string;
}

export interface StateMap {
  width: number;
  height: number;
  nodes: readonly MapNode[];
  links: readonly MapLink[];
  /** Where the lane of the returns ends, and what it is. */
  lane: { x: number; y: number; label: string };
}

export function drawStateMap(rows: readonly RespawnRow[] = RESPAWN_ROWS): StateMap {
  const [outside, ...ring] = orderStates(rows);
  const columns = Math.ceil(ring.length / 2);
  const [above, below] = [ring.slice(0, columns), ring.slice(columns)].map(
    (row) => MARGIN + ARC * Math.max(0, ...linksOf(rows).map((link) => arcSpan(row, link))),
  ) as [number, number];
  const top = above;
  const left = MARGIN + OUTSIDE.width + OUTSIDE.gap;
  const placed = ring.map((state, index): MapNode => {
    const isTop = index < columns;
    const column = isTop ? index : 2 * columns - 1 - index;
    const y = isTop ? top : top + NODE.height + LANE_HEIGHT;
    return { ...nodeOf(state), x: left + column * PITCH, y, width: NODE.width };
  });
  const stopped = outside === undefined ? [] : [outside];
  const nodes = [
    ...stopped.map((state) => ({ ...nodeOf(state), x: MARGIN, y: top, width: OUTSIDE.width })),
    ...placed,
  ];
  const links = linksOf(rows).flatMap(({ from, to, on }) => {
    const path = pathBetween(nodes, ring, from, to);
    return path === null ? [] : [{ from, to, path, title: titleOf(from, to, on) }];
  });
  return {
    width: left + columns * PITCH - (PITCH - NODE.width) + MARGIN,
    height: above + 2 * NODE.height + LANE_HEIGHT + below,
    nodes,
    links,
    lane: {
      x: left + NODE.width / 2 - SIDE,
      y: top + NODE.height + LANE_HEIGHT / 2,
      label: `back to ${ring[0] === undefined ? '' : nodeOf(ring[0]).label}`,
    },
  };
}

/** Each after all that lead on to it, ways back aside; what is nowhere reached comes last. */
export function orderStates(rows: readonly RespawnRow[]): RespawnStateName[] {
  const links = linksOf(rows);
  const done: RespawnStateName[] = [];
  const seen = new Set<RespawnStateName>();
  const visit = (state: RespawnStateName): void => {
    if (seen.has(state)) return;
    seen.add(state);
    for (const { from, to } of links) if (from === state) visit(to);
    done.unshift(state);
  };
  visit('stopped');
  return [...done, ...RESPAWN_STATES.filter((state) => !seen.has(state))];
}

interface Link {
  from: RespawnStateName;
  to: RespawnStateName;
  on: RespawnRow['on'][];
}

/** One for each pair of different states, with every trigger of it, in the order of the table. */
function linksOf(rows: readonly RespawnRow[]): Link[] {
  const links = new Map<string, Link>();
  for (const { from: sources, to, on } of rows) {
    if (to === 'stay' || to === 'stopped') continue;
    for (const from of sources) {
      if (from === to) continue;
      const link = links.get(`${from} ${to}`) ?? { from, to, on: [] };
      if (!link.on.includes(on)) link.on.push(on);
      links.set(`${from} ${to}`, link);
    }
  }
  return [...links.values()];
}

/** How many places a link leads ahead in a row of the ring when it passes a state; 0 otherwise. */
function arcSpan(row: readonly RespawnStateName[], { from, to }: Link): number {
  const span = row.indexOf(to) - row.indexOf(from);
  return row.includes(from) && row.includes(to) && span > 1 ? span : 0;
}

function pathBetween(
  nodes: readonly MapNode[],
  ring: readonly RespawnStateName[],
  from: RespawnStateName,
  to: RespawnStateName,
): string | null {
  const source = nodes.find(({ state }) => state === from);
  const target = nodes.find(({ state }) => state === to);
  if (source === undefined || target === undefined) return null;
  const middle = { x: source.x + source.width / 2, y: source.y + NODE.height / 2 };
  const end = { x: target.x + target.width / 2, y: target.y + NODE.height / 2 };
  const half = NODE.height / 2;
  if (!ring.includes(from)) return `M${source.x + source.width} ${middle.y}H${target.x}`;
  if (to === ring[0]) {
    const lane = target.y + NODE.height + LANE_HEIGHT / 2;
    const edge = source.y === target.y ? middle.y + half : middle.y - half;
    const x = middle.x - SIDE;
    const home = end.x - SIDE;
    return x === home
      ? `M${x} ${edge}V${end.y + half}`
      : `M${x} ${edge}V${lane}H${home}V${end.y + half}`;
  }
  const span = ring.indexOf(to) - ring.indexOf(from);
  if (source.y !== target.y) {
    const down = target.y > source.y ? 1 : -1;
    return `M${middle.x + SIDE} ${middle.y + down * half}L${end.x + SIDE} ${end.y - down * half}`;
  }
  const right = end.x > middle.x ? 1 : -1;
  if (span === 1) {
    return `M${middle.x + (right * source.width) / 2} ${middle.y}H${end.x - (right * target.width) / 2}`;
  }
  if (span < 0) {
    const near = middle.x + right * (source.width / 2 - 14);
    const far = end.x - right * (target.width / 2 - 14);
    const y = middle.y + half;
    return `M${near} ${y}C${near} ${y + 20} ${far} ${y + 20} ${far} ${y}`;
  }
  // Outside the ring. Links that leave or enter a state at the same side are spread by their span.
  const outward = source.y === nodes[1]?.y ? -1 : 1;
  const y = middle.y + outward * half;
  // A curve reaches three quarters of the height of its control points.
  const peak = y + (outward * ARC * span * 4) / 3;
  const start = middle.x + right * 6 * (4 - span);
  const stop = end.x - right * 8 * span;
  return `M${start} ${y}C${start} ${peak} ${stop} ${peak} ${stop} ${y}`;
}

function nodeOf(state: RespawnStateName): Pick<MapNode, 'state' | 'label'> {
  return { state, label: respawnStateText(state).label };
}

function titleOf(from: RespawnStateName, to: RespawnStateName, on: Link['on']): string {
  const { label: before } = respawnStateText(from);
  const { label: after } = respawnStateText(to);
  const causes = on.map((trigger) => RESPAWN_TRIGGER_TEXT[trigger]).join('; or ');
  return `${before} to ${after} when ${causes.replaceAll('`', '')}`;
}
