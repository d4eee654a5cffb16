/** Reads from the received bytes how long each event was under way. */
import { STAMP_DIGITS, STAMP_MARK } from '../contenders/bench-event.ts';

const DIGIT_ZERO = 48;
const NANOSECONDS_A_MILLISECOND = 1e6;
const STAMP_RANGE = 10n ** BigInt(STAMP_DIGITS);

export interface Receipt {
  /** Nanoseconds; the same for all receipts of this event. */
  sent: number;
  /** Milliseconds it was under way. */
  ageMs: number;
}

/** One receipt per event that is complete in these bytes. */
export function receiptsOf(bytes: Buffer, now = process.hrtime.bigint()): Receipt[] {
  const receipts: Receipt[] = [];
  const arrived = Number(now % STAMP_RANGE);
  for (let at = bytes.indexOf(STAMP_MARK); at !== -1; at = bytes.indexOf(STAMP_MARK, at + 1)) {
    const first = at + STAMP_MARK.length;
    if (first + STAMP_DIGITS > bytes.length) break;
    let sent = 0;
    for (let n = first; n < first + STAMP_DIGITS; n += 1) {
      sent = sent * 10 + (bytes[n] ?? 0) - DIGIT_ZERO;
    }
    receipts.push({ sent, ageMs: (arrived - sent) / NANOSECONDS_A_MILLISECOND });
  }
  return receipts;
}
