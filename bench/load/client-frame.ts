/** One text frame as a client sends it. The mask is zero: allowed, and no byte has to be masked. */
const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const MASK_BYTES = 4;
const SHORT_PAYLOAD = 125;

/** At most 65,535 bytes. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.alloc(MASK_BYTES);
  if (payload.length <= SHORT_PAYLOAD) {
    return Buffer.concat([Buffer.from([FINAL_TEXT, MASKED | payload.length]), mask, payload]);
  }
  const head = Buffer.from([FINAL_TEXT, MASKED | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, mask, payload]);
}
