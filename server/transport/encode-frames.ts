/** WebSocket text frames as a server sends them (RFC 6455): final, not masked, not compressed. */

const FINAL_TEXT = 0x81;
/** Lengths up to this fit in the second byte, up to the next in two more bytes, others in eight. */
const MAX_SHORT_LENGTH = 125;
const MAX_MEDIUM_LENGTH = 0xffff;
const MEDIUM = 126;
const LONG = 127;

/** The frames of all texts in one buffer, to be written as is. */
export function encodeFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const size = lengths.reduce((sum, length) => sum + headLength(length) + length, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = writeHead(bytes, at, lengths[index] ?? 0);
    at += bytes.write(text, at);
  }
  return bytes;
}

function headLength(length: number): number {
  if (length <= MAX_SHORT_LENGTH) return 2;
  return length <= MAX_MEDIUM_LENGTH ? 4 : 10;
}

/** Returns where the text begins. */
function writeHead(bytes: Buffer, at: number, length: number): number {
  bytes[at] = FINAL_TEXT;
  if (length <= MAX_SHORT_LENGTH) {
    bytes[at + 1] = length;
    return at + 2;
  }
  if (length <= MAX_MEDIUM_LENGTH) {
    bytes[at + 1] = MEDIUM;
    return bytes.writeUInt16BE(length, at + 2);
  }
  bytes[at + 1] = LONG;
  return bytes.writeBigUInt64BE(BigInt(length), at + 2);
}
