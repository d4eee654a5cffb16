/** Respawn as people and programs read it. Pure. */
import { RESPAWN_TIMINGS } from '../../shared/rules/respawn/respawn-keys.ts';
import type { RespawnTimer } from '../../shared/rules/respawn/respawn-timers.ts';
import type { IdleLayer, RespawnCycle, RespawnView } from '../../shared/schema/loops/respawn.ts';
import { evidenceOf } from '../supervision/evidence-of.ts';
import type { CheckerState } from './checker/checker-state.ts';
import { confidenceOf, type Layer, readLayers } from './detection/idle-layers.ts';
import { confirmMs } from './machine/confirmation.ts';
import type { Counts, OpenCycle, RespawnState } from './machine/respawn-state.ts';
import { machineMs } from './machine/transition.ts';
import { RESPAWN_BLOCK_TEXT, RESPAWN_STEP_TEXT } from '../../shared/words/work/respawn-text.ts';
import { stepOf } from './machine/guards.ts';

export function respawnView(
  state: RespawnState,
  { clockMs, wallMs }: { clockMs: number; wallMs: number },
): RespawnView {
  const nowMs = machineMs(state, clockMs);
  const at = (ms: number) => new Date(wallMs + ms - nowMs).toISOString();
  const { run, visit, config, recent, breaker } = state;
  const quietMs = Math.min(confirmMs(state), config.idle_timeout_ms);
  const thresholds = { quietMs, workingAbsenceMs: RESPAWN_TIMINGS.working_absence };
  const layers = run === null ? [] : readLayers(run.signs, nowMs, thresholds);
  const timers = run === null ? [] : timersOf(visit.due);
  const isPaused = run !== null && run.pausedAtMs !== null;
  // While it is paused no time is left behind, and no end is known.
  const ends = isPaused ? [] : timers.map(({ timer, ms }) => ({ timer, ends_at: at(ms) }));
  const next = ends.find(({ timer }) => timer !== 'stuck');
  const left = run?.endsMs == null ? null : Math.max(0, run.endsMs - nowMs);
  return {
    session_name: state.session,
    runs: state.runs,
    started_at: run?.startedAt ?? null,
    started_by: run?.startedBy ?? null,
    stopped_by: visit.status === 'stopped' ? visit.by : null,
    state: visit.status,
    since: run === null ? (visit.at ?? at(nowMs)) : visit.sinceAt,
    until: next?.ends_at ?? null,
    next: nextSentence(state),
    paused: isPaused,
    cycle: state.cycles,
    ends_at: left === null || isPaused ? null : at(nowMs + left),
    seconds_left: left === null ? null : left / 1_000,
    block: run?.block ?? null,
    layers: layers.map((layer) => layerView(layer, wallMs, at)),
    confidence: confidenceOf(layers),
    timers: ends,
    actions: state.actions,
    idle_check: checkerView(state.idleChecker, nowMs, at),
    plan_check: checkerView(state.planChecker, nowMs, at),
    breaker: {
      status: breaker.status,
      cycles_without_progress: breaker.misses,
      until: breaker.status === 'open' ? at(breaker.untilMs) : null,
    },
    stuck_recoveries: run?.recoveries ?? 0,
    cycles: [
      ...(run !== null && 'cycle' in visit ? [openCycleView(visit.cycle)] : []),
      ...recent.map((past) => ({
        ...cycleView(past, past.changed),
        ended_at: past.endedAt,
        outcome: past.outcome,
        progress: past.progress,
      })),
    ],
  };
}

/** Those that run, the next one first. */
function timersOf(due: object): { timer: RespawnTimer; ms: number }[] {
  const entries = Object.entries(due) as [RespawnTimer, number | null][];
  return entries
    .flatMap(([timer, ms]) => (ms === null ? [] : [{ timer, ms }]))
    .sort((one, other) => one.ms - other.ms);
}

function layerView(
  { layer, holds, weight, sinceMs, witness, lines }: Layer,
  wallMs: number,
  at: (ms: number) => string,
): IdleLayer {
  const since = sinceMs === null ? null : at(sinceMs);
  return { layer, holds, weight, since, evidence: evidenceOf(witness, wallMs, lines) };
}

function checkerView(
  checker: CheckerState,
  nowMs: number,
  at: (ms: number) => string,
): RespawnView['idle_check'] {
  const { last } = checker;
  const isOver = checker.status === 'cooldown' && checker.untilMs <= nowMs;
  return {
    status: isOver ? 'ready' : checker.status,
    until: checker.status === 'cooldown' && !isOver ? at(checker.untilMs) : null,
    verdict: last?.verdict ?? null,
    reasoning: last?.reasoning ?? null,
    seconds: last?.seconds ?? null,
    errors_in_a_row: checker.errors,
    checks: checker.checks,
    disabled_reason: checker.status === 'disabled' ? checker.reason : null,
  };
}

function openCycleView(cycle: OpenCycle): RespawnCycle {
  return {
    ...cycleView(cycle, { commits: null, files: null, tokens: null }),
    ended_at: null,
    outcome: null,
    progress: null,
  };
}

function cycleView({ number, startedAt, steps, skipped }: OpenCycle, changed: Counts) {
  return { cycle: number, started_at: startedAt, steps, skipped, ...changed };
}

/** What happens next, in one sentence. */
function nextSentence({ run, visit, config }: RespawnState): string {
  if (run === null) return config.enabled ? 'Start it to continue.' : 'Turn it on, then start it.';
  if (run.pausedAtMs !== null) return 'Resume it to continue.';
  if (run.block !== null) return RESPAWN_BLOCK_TEXT[run.block.reason].next;
  switch (visit.status) {
    case 'watching':
      return 'Waits until the agent is idle.';
    case 'confirming_idle':
      return 'Begins a cycle if the agent stays idle.';
    case 'ai_checking':
      return 'A model decides whether the agent is idle.';
    case 'monitoring_init':
      return 'Sends the kickstart if init leads to no work.';
    default: {
      const name = RESPAWN_STEP_TEXT[stepOf(visit.status)].toLowerCase();
      if (!('input' in visit)) return `Waits until ${name} is done.`;
      return visit.input === null ? `Sends ${name}.` : `Waits until ${name} is delivered.`;
    }
  }
}
