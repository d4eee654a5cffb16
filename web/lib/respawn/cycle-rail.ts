/** How far a session is in its cycle: for the map, and as a list with the same content. Pure. */
import {
  RESPAWN_STATES,
  type RespawnStateName,
  type RespawnStep,
} from '$shared/rules/respawn/respawn-names.ts';
import type { RespawnView } from '$shared/schema/loops/respawn.ts';
import { formatDuration } from '$shared/words/format-duration.ts';
import { respawnStateText, RESPAWN_STEP_TEXT } from '$shared/words/work/respawn-text.ts';

export type Stage = 'current' | 'done' | 'skipped' | 'ahead';

export interface RailPlace {
  key: string;
  label: string;
  stage: Stage;
  /** What there is to say of it; empty for what is ahead. */
  note: string;
}

/** The step that a state sends or waits for; null for the others. */
export function stepOfState(state: RespawnStateName): RespawnStep | null {
  const [kind, step] = state.split('_');
  return kind === 'sending' || kind === 'waiting' ? (step as RespawnStep) : null;
}

export function stageOf(state: RespawnStateName, view: RespawnView): Stage {
  if (state === view.state) return 'current';
  const open = openCycle(view);
  const step = stepOfState(state);
  if (open === null || step === null) return 'ahead';
  if (open.skipped.includes(step)) return 'skipped';
  const isSent = stepOfState(view.state) === step && isBefore(state, view.state);
  return isSent || open.steps.some((done) => done.step === step) ? 'done' : 'ahead';
}

/** The states of a run in order, with both states of a step as one. */
export function railOf(view: RespawnView): RailPlace[] {
  const places: RailPlace[] = [];
  for (const state of RESPAWN_STATES) {
    if (state === 'stopped') continue;
    const step = stepOfState(state);
    const key = step ?? state;
    const stage = stageOf(state, view);
    const known = places.find((place) => place.key === key);
    const place = known ?? {
      key,
      label: step === null ? respawnStateText(state).label : RESPAWN_STEP_TEXT[step],
      stage,
      note: '',
    };
    if (known === undefined) places.push(place);
    if (stage === 'current') place.stage = 'current';
    place.note = noteOf(place, step, view);
  }
  return places;
}

/** The cycle whose steps are under way. */
export function openCycle({ cycles, state }: RespawnView): RespawnView['cycles'][number] | null {
  const newest = cycles[0];
  return state === 'stopped' || newest?.ended_at !== null ? null : newest;
}

function noteOf({ stage }: RailPlace, step: RespawnStep | null, view: RespawnView): string {
  if (stage === 'current') return step === null ? 'now' : respawnStateText(view.state).label;
  if (stage === 'skipped') return 'skipped';
  const done = openCycle(view)?.steps.find((one) => one.step === step);
  return done === undefined ? '' : formatDuration(done.seconds);
}

function isBefore(one: RespawnStateName, other: RespawnStateName): boolean {
  return RESPAWN_STATES.indexOf(one) < RESPAWN_STATES.indexOf(other);
}
