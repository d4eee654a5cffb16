/**
 * The one way from state to state: the row of the table for what happened, if its guard holds. What
 * has no row changes nothing.
 */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type {
  RespawnStateName,
  RespawnTrigger,
} from '../../../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_ROWS, type RespawnRow } from '../../../shared/rules/respawn/respawn-table.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { readLayers } from '../detection/idle-layers.ts';
import { ACTIONS } from './actions.ts';
import { GUARDS } from './guards.ts';
import type { Stopped, Visit } from './respawn-state.ts';
import { at, authorOf, emit, note, type Step, witnessed } from './step.ts';
import { enter, leave } from './visits.ts';

/** Facts that a pause cannot hold up; they send nothing. */
const WHILE_PAUSED: readonly RespawnTrigger[] = [
  'start',
  'stop',
  'delivered',
  'undelivered',
  'check_dropped',
  'agent_gone',
];

/** By state and trigger, in the order of the table. */
const ROWS = new Map<string, RespawnRow[]>();
for (const row of RESPAWN_ROWS) {
  for (const from of row.from) {
    const key = `${from} ${row.on}`;
    ROWS.set(key, [...(ROWS.get(key) ?? []), row]);
  }
}

/** `why` is the evidence for the trigger. */
export function fire(step: Step, on: RespawnTrigger, why: readonly Evidence[]): void {
  if (step.run.pausedAtMs !== null && !WHILE_PAUSED.includes(on)) return;
  const from = step.visit.status;
  const row = ROWS.get(`${from} ${on}`)?.find(
    ({ if: guard }) => guard === undefined || GUARDS[guard](step),
  );
  if (row === undefined) return;
  step.why = [...why];
  if (row.to !== 'stay' && row.to !== from) change(step, row, row.to);
  if (row.does !== undefined) ACTIONS[row.does](step);
}

/** When its next timer is over, on the machine's clock; that it may be stuck is none of them. */
export function nextTimerMs(visit: Visit | Stopped): number | null {
  if (visit.status === 'stopped') return null;
  const due = Object.entries(visit.due).filter(([timer, ms]) => timer !== 'stuck' && ms !== null);
  return due.length === 0 ? null : Math.min(...due.map(([, ms]) => ms ?? Infinity));
}

function change(step: Step, row: RespawnRow, to: RespawnStateName): void {
  const { status: before } = step.visit;
  const evidence = to === 'sending_update' ? [...step.why, ...layersThatHold(step)] : step.why;
  leave(step, row);
  if (to === 'watching') {
    step.run.signs.completion = null;
    step.run.signs.verdict = null;
  }
  step.visit = to === 'stopped' ? stopped(step) : enter(step, to, row.on);
  const dueMs = nextTimerMs(step.visit);
  const until = dueMs === null ? null : at(step, dueMs);
  const data = { state: to, before, trigger: row.on, cycle: step.kept.cycles, until, evidence };
  emit(step, {
    type: 'respawn.state',
    data: { ...data, ...authorOf(step) },
  });
  note(step, 'state', `${before} to ${to}: ${row.on}`);
}

/** Who stopped it is filled in by the one that does. */
function stopped(step: Step): Stopped {
  return { status: 'stopped', at: at(step, step.nowMs), by: null, author: step.author };
}

function layersThatHold(step: Step): Evidence[] {
  const { kept, run, nowMs } = step;
  const quietMs = kept.config.idle_timeout_ms;
  const workingAbsenceMs = RESPAWN_TIMINGS.working_absence;
  return readLayers(run.signs, nowMs, { quietMs, workingAbsenceMs })
    .filter(({ holds }) => holds === true)
    .map(({ layer, witness, lines }) => witnessed(step, witness, `${layer}: ${lines.join(' ')}`));
}
