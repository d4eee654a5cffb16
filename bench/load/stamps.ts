/** Reads out of what arrives how long each event was under way. */
import { STAMP_DIGITS, STAMP_MARK } from '../contenders/bench-event.ts';

const DIGIT_ZERO = 48;
const NANOSECONDS_A_MILLISECOND = 1e6;
const STAMP_RANGE = 10n ** BigInt(STAMP_DIGITS);

/** Takes bytes as they arrived; gives how many milliseconds ago each event whole in them was sent. */
export function agesOf(bytes: Buffer, now = process.hrtime.bigint()): number[] {
  const ages: number[] = [];
  const arrived = Number(now % STAMP_RANGE);
  for (let at = bytes.indexOf(STAMP_MARK); at !== -1; at = bytes.indexOf(STAMP_MARK, at + 1)) {
    const first = at + STAMP_MARK.length;
    if (first + STAMP_DIGITS > bytes.length) break;
    let sent = 0;
    for (let n = first; n < first + STAMP_DIGITS; n += 1) {
      sent = sent * 10 + (bytes[n] ?? 0) - DIGIT_ZERO;
    }
    ages.push((arrived - sent) / NANOSECONDS_A_MILLISECOND);
  }
  return ages;
}
