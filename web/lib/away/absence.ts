/** When a person was last at this page, and a time away that they have not dismissed. Pure. */
export interface Presence {
  /** Milliseconds since 1970; null before the first visit. */
  readonly seenMs: number | null;
  readonly absence: Absence | null;
}

export interface Absence {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A shorter time away is a break; what happened in it is still on the overview. */
export const SHORTEST_ABSENCE_MS = 30 * 60_000;

export const NEVER_SEEN: Presence = { seenMs: null, absence: null };

/** A person is at the page. A second absence before the first was dismissed makes it longer. */
export function seenAt({ seenMs, absence }: Presence, nowMs: number): Presence {
  const wasAway = seenMs !== null && nowMs - seenMs >= SHORTEST_ABSENCE_MS;
  if (!wasAway) return { seenMs: nowMs, absence };
  return { seenMs: nowMs, absence: { sinceMs: absence?.sinceMs ?? seenMs, untilMs: nowMs } };
}

/** Drops what this page did not write. */
export function parsePresence(stored: string | null): Presence {
  let read: unknown;
  try {
    read = JSON.parse(stored ?? '{}');
  } catch {
    return NEVER_SEEN;
  }
  const { seenMs, absence } = (read ?? {}) as Partial<Record<keyof Presence, unknown>>;
  if (!isTime(seenMs)) return NEVER_SEEN;
  return { seenMs, absence: isAbsence(absence) ? absence : null };
}

function isAbsence(value: unknown): value is Absence {
  const { sinceMs, untilMs } = (value ?? {}) as Partial<Record<keyof Absence, unknown>>;
  return isTime(sinceMs) && isTime(untilMs) && sinceMs < untilMs;
}

/** A time that a `Date` can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}
