const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const;

/** hh:mm:ss. */
export function formatClock(instant: number | string): string {
  return CLOCK.format(new Date(instant));
}

export function formatFull(instant: number | string): string {
  return FULL.format(new Date(instant));
}

/** The largest whole unit, such as "14 s" or "3 min". */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  const unit = UNITS.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
}

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** hh:mm. */
export function formatTime(instant: number | string): string {
  return TIME.format(new Date(instant));
}

/** The two largest units, such as "1 h 12 min" or "40 s". */
export function formatLeft(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const at = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const unit = UNITS[at];
  if (unit === undefined) return `${seconds} s`;
  const whole = `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
  const next = UNITS[at + 1] ?? { name: 's', seconds: 1 };
  const rest = Math.floor((seconds % unit.seconds) / next.seconds);
  return rest === 0 ? whole : `${whole} ${rest} ${next.name}`;
}

/** The day and hh:mm. */
export function formatDayTime(instant: number | string): string {
  return `${DAY.format(new Date(instant))}, ${formatTime(instant)}`;
}
