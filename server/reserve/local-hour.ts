/** An hour of a week in some time zone. */
export interface LocalHour {
  /** 1 is Monday, 7 is Sunday. */
  day: number;
  /** 0 to 23. */
  hour: number;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formats = new Map<string, Intl.DateTimeFormat>();

/** `zone` is an IANA name; throws a RangeError for another. */
export function localHour(atMs: number, zone: string): LocalHour {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { weekday: 'short', hour: 'numeric', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone: zone });
    formats.set(zone, format);
  }
  const parts = format.formatToParts(atMs);
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { day: DAYS.indexOf(valueOf('weekday')) + 1, hour: Number(valueOf('hour')) };
}
