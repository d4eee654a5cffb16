/** Where a time axis has labels, in the time of the browser, so that no label is cut. Pure. */
const MINUTE = 60_000;
const DAY = 24 * 60;
/** In minutes. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, DAY, 2 * DAY, 7 * DAY, 28 * DAY];
/** A label and the space around it, in pixels: the widest is a day such as "24 Sept". */
export const LABEL_WIDTH = 64;

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export interface Tick {
  ms: number;
  label: string;
}

/** At whole local times, as many as have room in `width` pixels; at midnight the day. */
export function timeTicks(fromMs: number, toMs: number, width: number): Tick[] {
  const room = Math.floor(width / LABEL_WIDTH);
  if (room < 1 || toMs <= fromMs) return [];
  const minutes = (toMs - fromMs) / MINUTE;
  const step =
    STEPS.find((each) => minutes / each <= room) ?? Math.ceil(minutes / room / DAY) * DAY;
  const first = new Date(fromMs);
  const start = [first.getFullYear(), first.getMonth(), first.getDate()] as const;
  const ticks: Tick[] = [];
  const skipped = Math.floor((fromMs - new Date(...start).getTime()) / MINUTE / step);
  // An hour that the clock repeats or leaves out moves no other label.
  for (let n = Math.max(0, skipped - 1); ; n += 1) {
    const date =
      step < DAY
        ? new Date(...start, 0, n * step)
        : new Date(start[0], start[1], start[2] + (n * step) / DAY);
    const ms = date.getTime();
    if (ms > toMs) return ticks;
    const isDay = date.getHours() === 0 && date.getMinutes() === 0;
    if (ms >= fromMs && ms !== ticks.at(-1)?.ms) {
      ticks.push({ ms, label: (isDay ? DATE : TIME).format(date) });
    }
  }
}
