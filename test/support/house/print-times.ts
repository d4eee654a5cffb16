/**
 * Reads times as a JSON list; prints each as the shell does in the zone of this process, and how
 * `--at` reads it.
 */
import { readFileSync } from 'node:fs';
import { pastMoment } from '../../../server/cli/past-moment.ts';
import { timeIn } from '../../../server/cli/print/time-text.ts';

const times = JSON.parse(readFileSync(0, 'utf8')) as string[];
const read = times.flatMap((time) =>
  [false, true].map((utc) => {
    const printed = timeIn({ utc })(time);
    // The zone that `--at` falls back to must not matter for a printed time.
    return {
      time,
      printed,
      at: pastMoment(printed, {}),
      utcAt: pastMoment(printed, { utc: true }),
    };
  }),
);
process.stdout.write(JSON.stringify(read));
