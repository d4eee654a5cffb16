/** Texts of the checks for the night: the same on the page and in the shell. */
import type { Night, NightCheck } from '../../schema/usage/night.ts';
import { countText } from '../count-text.ts';
import type { Tone } from '../tone.ts';

export const NIGHT_STATE: Record<NightCheck['state'], { label: string; tone: Tone }> = {
  ok: { label: 'Ready', tone: 'good' },
  problem: { label: 'Problem', tone: 'fail' },
  unknown: { label: 'Unknown', tone: 'wait' },
};

/** `time` writes a time. */
export function nightVerdict(
  { ready, until, problem_at: at, checks }: Night,
  time: (iso: string) => string,
): string {
  if (ready) return `Ready for the night, until ${time(until)}.`;
  const count = checks.filter(({ state }) => state === 'problem').length;
  const when = at === null ? '' : ` The first will probably show at ${time(at)}.`;
  return `${countText(count, 'problem')} before ${time(until)}.${when}`;
}

/** Problems first, then what is unknown. */
export function nightOrder(checks: readonly NightCheck[]): NightCheck[] {
  const states: NightCheck['state'][] = ['problem', 'unknown', 'ok'];
  return states.flatMap((state) => checks.filter((check) => check.state === state));
}
