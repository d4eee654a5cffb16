import type { EventData, EventRecord } from '../../schema/events/events.ts';
import { formatDuration } from '../format-duration.ts';
import {
  CYCLE_OUTCOME_TEXT,
  respawnBlockText,
  respawnStateText,
  RESPAWN_STEP_TEXT,
} from '../work/respawn-text.ts';
import type { Tone } from '../tone.ts';

export type RespawnEvent = Extract<EventRecord, { type: `respawn.${string}` }>;

const CHECK = { idle: 'Idle check', plan: 'Plan check' } as const;

/** The sentence a person reads about a session that is kept going, and how much it matters. */
export function describeRespawnEvent(
  event: RespawnEvent,
  timeText: (iso: string) => string,
): { text: string; tone: Tone } {
  switch (event.type) {
    case 'respawn.state': {
      const { state, author } = event.data;
      const { label, tone } = respawnStateText(state);
      return say(`Respawn: ${label}${by(author)}`, tone);
    }
    case 'respawn.blocked': {
      const { reason, until } = event.data;
      const end = until === null ? '' : ` until ${timeText(until)}`;
      return say(`No cycle: ${respawnBlockText(reason).label}${end}`, 'wait');
    }
    case 'respawn.paused': {
      const { paused, author } = event.data;
      return say(`Respawn ${paused ? 'paused' : 'resumed'}${by(author)}`, paused ? 'wait' : 'idle');
    }
    case 'respawn.configured':
      return say(`Respawn configured${by(event.data.author)}: ${event.data.keys.join(', ')}`);
    case 'respawn.step_sent': {
      const { step, cycle, delivery } = event.data;
      return say(`Cycle ${cycle}: ${RESPAWN_STEP_TEXT[step]} ${delivery}`, 'work');
    }
    case 'respawn.step_done': {
      const { step, cycle, seconds } = event.data;
      const text = `Cycle ${cycle}: ${RESPAWN_STEP_TEXT[step]} done in ${formatDuration(seconds)}`;
      return say(text, 'work');
    }
    case 'respawn.check':
      return checked(event.data, timeText);
    case 'respawn.auto_accepted':
      return say(event.data.via === 'hook' ? 'Plan accepted' : 'Plan accepted with Enter', 'work');
    case 'respawn.cycle_done': {
      const { cycle, outcome, seconds } = event.data;
      const isGood = outcome === 'completed' || outcome === 'worked';
      const text = `Cycle ${cycle} ${CYCLE_OUTCOME_TEXT[outcome]}, ${formatDuration(seconds)}`;
      const tone = isGood ? 'good' : outcome === 'planned' ? 'work' : 'wait';
      return say(text + changes(event.data), tone);
    }
  }
}

function checked(
  { check, status, verdict, detail, until, disabled }: EventData<'respawn.check'>,
  timeText: (iso: string) => string,
): { text: string; tone: Tone } {
  const name = CHECK[check];
  const why = detail === null ? '' : ` (${detail})`;
  if (status === 'started') return say(`${name} started`);
  if (status === 'dropped') return say(`${name} cancelled`);
  if (status === 'answered') return say(`${name}: ${verdict ?? 'no verdict'}${why}`);
  const next = disabled ? '; turned off' : until === null ? '' : `; again at ${timeText(until)}`;
  return say(`${name} failed${why}${next}`, disabled ? 'fail' : 'wait');
}

function changes({ commits, files, tokens }: EventData<'respawn.cycle_done'>): string {
  const counts = [
    [commits, 'commit'],
    [files, 'file'],
    [tokens, 'token'],
  ] as const;
  const known = counts.filter(([count]) => count !== null && count > 0);
  if (known.length === 0) return '';
  return `: ${known.map(([count, name]) => `${count ?? 0} ${name}${count === 1 ? '' : 's'}`).join(', ')}`;
}

function say(text: string, tone: Tone = 'idle'): { text: string; tone: Tone } {
  return { text, tone };
}

function by(author: string | undefined): string {
  return author === undefined ? '' : ` by ${author}`;
}
