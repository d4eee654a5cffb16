/**
 * What travels in a channel: a kind, a number, a payload. The number counts all frames of one
 * direction, so that a lost one is noticed with the next.
 */
const KINDS = ['start', 'text', 'bytes', 'text-part', 'bytes-part', 'credit', 'close'] as const;
export type FrameKind = (typeof KINDS)[number];

export interface Frame {
  kind: FrameKind;
  number: number;
  payload: Uint8Array;
}

const HEAD_BYTES = 5;
/** A longer message is sent in parts of this. */
export const PART_BYTES = 128 * 1024;
/** A reason is for people; a WebSocket takes no more. */
const MAX_REASON_BYTES = 120;

/** Of the window; the head counts too, or empty messages would cost nothing. */
export function costOf(payload: Uint8Array): number {
  return payload.length + HEAD_BYTES;
}

export function encodeFrame({ kind, number, payload }: Frame): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUInt8(KINDS.indexOf(kind), 0);
  bytes.writeUInt32BE(number >>> 0, 1);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** Null for what is no frame. */
export function decodeFrame(data: Uint8Array): Frame | null {
  const kind = KINDS[data[0] ?? KINDS.length];
  if (kind === undefined || data.length < HEAD_BYTES) return null;
  return { kind, number: view(data).readUInt32BE(1), payload: data.subarray(HEAD_BYTES) };
}

export function encodeCredit(bytes: number): Uint8Array {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(bytes, 0);
  return payload;
}

/** 0 for what says nothing. */
export function decodeCredit(payload: Uint8Array): number {
  return payload.length === 4 ? view(payload).readUInt32BE(0) : 0;
}

export function encodeClose(code: number, reason: string): Uint8Array {
  const text = Buffer.from(reason).subarray(0, MAX_REASON_BYTES);
  const payload = Buffer.allocUnsafe(2 + text.length);
  payload.writeUInt16BE(code, 0);
  payload.set(text, 2);
  return payload;
}

/** Null for a code that no WebSocket may send. */
export function decodeClose(payload: Uint8Array): { code: number; reason: string } | null {
  if (payload.length < 2) return null;
  const code = view(payload).readUInt16BE(0);
  const isSendable =
    code === 1000 || (code > 1000 && code < 5000 && ![1004, 1005, 1006].includes(code));
  const reason = view(payload)
    .subarray(2, 2 + MAX_REASON_BYTES)
    .toString('utf8');
  return isSendable ? { code, reason } : null;
}

function view(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
