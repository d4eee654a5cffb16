/** One session of the trial: what was caused, what was shown, and how late. Pure. */
import type { Role } from './play-sessions.ts';

export interface Took {
  ms: number;
  /** How long the daemon waited for a processor in that time. */
  waitedMs: number;
  note: string | null;
}

export interface Row {
  role: Role;
  pid: number;
  /** `ownMs`: of its client, from its start or the cause to its record. */
  listed: (Took & { ownMs: number }) | null;
  states: (Took & { ownMs: number; caused: string; shown: string; isRight: boolean })[];
  gone: Took | null;
}

/** Within this, a session is listed, its state right, and it is gone. */
const IN_TIME_MS = 2_000;

export type Verdict = 'held' | 'wrong' | 'not judged';

/** A delay that the daemon's wait for a processor explains is not judged. */
export function verdictOf({ ms, waitedMs }: Took): Verdict {
  if (ms <= IN_TIME_MS) return 'held';
  return ms - waitedMs <= IN_TIME_MS ? 'not judged' : 'wrong';
}

/** The worst of all. */
export function verdictOfRow({ listed, states, gone }: Row): Verdict {
  const all = [listed, ...states, gone];
  if (all.some((took) => took === null) || states.some(({ isRight }) => !isRight)) return 'wrong';
  const verdicts = all.flatMap((took) => (took === null ? [] : [verdictOf(took)]));
  return (
    verdicts.find((each) => each === 'wrong') ?? verdicts.find((each) => each !== 'held') ?? 'held'
  );
}

export const HEADINGS = ['session', 'caused', 'shown', 'listed', 'right', 'gone', ''] as const;

/** Its cells, in the order of the headings; times in milliseconds. */
export function cellsOfRow(row: Row): string[] {
  const { role, listed, states, gone } = row;
  const rounded = (took: Took | null) => (took === null ? 'never' : String(Math.round(took.ms)));
  const withOwn = (took: (Took & { ownMs: number }) | null) =>
    took === null ? 'never' : `${Math.round(took.ownMs)} + ${rounded(took)}`;
  return [
    role.name,
    states.map(({ caused }) => caused).join(', '),
    states.map(({ shown }) => shown).join(', '),
    withOwn(listed),
    states.map(withOwn).join(', '),
    rounded(gone) + (gone?.note === null || gone === null ? '' : ` (${gone.note})`),
    verdictOfRow(row),
  ];
}
