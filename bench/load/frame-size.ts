/** How many bytes things take on the wire, so that what arrives can be counted without being read. */

const SHORT_PAYLOAD = 125;
const MEDIUM_PAYLOAD = 65_535;

/** Takes the bytes of a payload; gives those of the unmasked WebSocket frame around it. */
export function frameBytes(payload: number): number {
  if (payload <= SHORT_PAYLOAD) return payload + 2;
  return payload + (payload <= MEDIUM_PAYLOAD ? 4 : 10);
}

/** Takes the bytes of a body part; gives those of its chunk in a chunked HTTP response. */
export function chunkBytes(part: number): number {
  return part.toString(16).length + 2 + part + 2;
}

/**
 * Takes what one subscriber got, how many events it was sent and the bytes of each; tells whether
 * the sum is exact. An engine may have pinged: two bytes each, and never more often than
 * `pings` times.
 */
export function isExact(bytes: number, events: number, wireBytes: number, pings: number): boolean {
  const rest = bytes - events * wireBytes;
  return rest >= 0 && rest % 2 === 0 && rest / 2 <= pings;
}
