/** Sizes on the wire, so that what arrives can be counted without being parsed. */

const SHORT_PAYLOAD = 125;
const MEDIUM_PAYLOAD = 65_535;

/** Bytes of the unmasked WebSocket frame around a payload. */
export function frameBytes(payload: number): number {
  if (payload <= SHORT_PAYLOAD) return payload + 2;
  return payload + (payload <= MEDIUM_PAYLOAD ? 4 : 10);
}

/** Bytes of the chunk in a chunked HTTP response. */
export function chunkBytes(part: number): number {
  return part.toString(16).length + 2 + part + 2;
}

/**
 * Whether one subscriber received exactly its events. An engine may have pinged: two bytes each, at
 * most `pings` times.
 */
export function isExact(bytes: number, events: number, wireBytes: number, pings: number): boolean {
  const rest = bytes - events * wireBytes;
  return rest >= 0 && rest % 2 === 0 && rest / 2 <= pings;
}
