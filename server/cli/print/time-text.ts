/** How the shell says when something happened; `--at` accepts what it prints. */
import { Option } from 'commander';

/** An option of every command that prints times. */
export const UTC_OPTION = new Option(
  '--utc',
  "print times in UTC (default: the shell's time zone)",
);

export interface Zoned {
  utc?: boolean;
}

export type TimeText = (iso: string) => string;

/** The one way to write a time: ISO 8601 to the second, in one word, always with its offset. */
export function timeIn({ utc = false }: Zoned): TimeText {
  return (iso) => {
    const moment = new Date(iso);
    const minutes = utc ? 0 : -moment.getTimezoneOffset();
    const wall = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, 19);
    return `${wall}${offsetText(minutes)}`;
  };
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
