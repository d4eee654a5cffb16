/** A run as it was at any position in its events. Pure. */
import type { Entry } from '$lib/conversation/conversation-pages.ts';
import type { EventData } from '$shared/schema/events/events.ts';
import type { Reason } from '$shared/schema/reasons.ts';
import type { RunPhase, WorkPhase, RunStatus } from '$shared/schema/runs/run-phase.ts';
import type { RunCheck } from '$shared/schema/runs/run.ts';
import { phaseLabel } from '../phase-rail.ts';
import type { RunEvent } from '$shared/words/events/describe-run-event.ts';

export type ReplayedCheck = Pick<RunCheck, 'id' | 'iteration' | 'name' | 'status'>;

export interface PhaseAmounts {
  /** Time in which the run worked. */
  seconds: number;
  cost_usd: number;
}

export interface Replayed {
  /** The event that led here; null at the beginning. */
  event: RunEvent | null;
  status: RunStatus;
  phase: RunPhase;
  iteration: number;
  reason: Reason | null;
  plan: EventData<'run.plan'>['action'] | null;
  /** Beginnings of what was said, oldest first: events carry no more, `FullMessages` reads the rest. */
  entries: readonly Entry[];
  checks: readonly ReplayedCheck[];
  /** The last verdict of the reviewer. */
  verdict: EventData<'run.review'>['verdict'] | null;
  amounts: Readonly<Partial<Record<RunPhase, PhaseAmounts>>>;
}

/** The run after the first `position` events; what was delivered twice counts once. */
export function replay(events: readonly RunEvent[], position: number): Replayed {
  const run: Omit<Replayed, 'entries' | 'checks' | 'amounts'> = {
    event: null,
    status: 'queued',
    phase: 'plan',
    iteration: 0,
    reason: null,
    plan: null,
    verdict: null,
  };
  const entries = new Map<string, Entry>();
  const checks = new Map<number, ReplayedCheck>();
  const amounts: Partial<Record<RunPhase, PhaseAmounts>> = {};
  const add = (phase: RunPhase, part: Partial<PhaseAmounts>): void => {
    const { seconds, cost_usd } = amounts[phase] ?? { seconds: 0, cost_usd: 0 };
    amounts[phase] = {
      seconds: seconds + (part.seconds ?? 0),
      cost_usd: cost_usd + (part.cost_usd ?? 0),
    };
  };
  for (const event of events.slice(0, position)) {
    if (run.event !== null && run.status === 'running') {
      add(run.phase, { seconds: gapMs(run.event, event) / 1000 });
    }
    run.event = event;
    switch (event.type) {
      case 'run.phase':
        run.phase = event.data.phase;
        run.iteration = event.data.iteration;
        break;
      case 'run.status':
        run.status = event.data.status;
        run.reason = event.data.reason;
        break;
      case 'run.resumed':
        run.phase = event.data.phase;
        break;
      case 'run.done':
        run.status = event.data.status;
        run.reason = event.data.reason;
        break;
      case 'run.plan':
        run.plan = event.data.action;
        break;
      case 'run.review':
        run.verdict = event.data.verdict;
        break;
      case 'run.check': {
        const { id, iteration, name, status } = event.data;
        checks.set(id, { id, iteration, name, status });
        break;
      }
      case 'run.interaction': {
        const { phase, index, cost_usd: cost } = event.data;
        const key = `${phase} ${index}`;
        const before = entries.get(key)?.cost_usd ?? 0;
        if (cost !== null) add(phase, { cost_usd: cost - before });
        entries.set(key, entryOf(event.data, event.at));
        break;
      }
      default:
    }
  }
  return { ...run, entries: [...entries.values()], checks: [...checks.values()], amounts };
}

function entryOf(data: EventData<'run.interaction'>, timestamp: string): Entry {
  const { id, phase, type, turn, tool, preview, output_tokens, cost_usd } = data;
  return {
    id,
    phase,
    type,
    turn,
    tool,
    output_tokens,
    cost_usd,
    timestamp,
    content: preview,
    length: preview.length,
    is_error: false,
    author: null,
    input_tokens: null,
    cache_creation_tokens: null,
    cache_read_tokens: null,
    duration_ms: null,
  };
}

/** A place to jump to: the start of a phase, or the end. */
export interface ReplayMark {
  /** Events before and at it. */
  position: number;
  phase: WorkPhase | 'complete';
  label: string;
}

export function replayMarks(events: readonly RunEvent[]): ReplayMark[] {
  return events.flatMap((event, place): ReplayMark[] => {
    const position = place + 1;
    if (event.type === 'run.phase') {
      const { phase, iteration } = event.data;
      return [{ position, phase, label: phaseLabel(phase, iteration) }];
    }
    if (event.type === 'run.done' && event.data.status !== 'done') {
      return [{ position, phase: 'complete', label: 'End' }];
    }
    return [];
  });
}

export const SPEEDS = [1, 4, 16, 64] as const;
export type Speed = (typeof SPEEDS)[number];

/** Nights of waiting are shown in this time, and a burst of events not faster than that. */
const LONGEST_MS = 2_000;
const SHORTEST_MS = 40;

/** How long a replay stays at a position before its next event, in milliseconds. */
export function replayDelayMs(events: readonly RunEvent[], position: number, speed: Speed): number {
  const [before, next] = [events[position - 1], events[position]];
  if (before === undefined || next === undefined) return SHORTEST_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, gapMs(before, next) / speed));
}

function gapMs(before: RunEvent, next: RunEvent): number {
  return Math.max(0, Date.parse(next.at) - Date.parse(before.at));
}
