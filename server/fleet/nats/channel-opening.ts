/** The request for a channel and its answer, as JSON. What comes from another host is hostile. */
import { z } from 'zod';
import { AppError } from '../../lib/app-error.ts';
import type { ChannelHead } from '../carrier.ts';

/** Of a head as JSON, which escapes a little. */
const MAX_HEAD_BYTES = 16 * 1024;
/** With what is around the head. */
export const MAX_OPENING_BYTES = MAX_HEAD_BYTES + 1024;

const HostId = z.string().regex(/^[0-9A-Za-z]{1,40}$/);
const ChannelId = z.string().regex(/^[0-9a-f]{32}$/);
const Instance = z.string().min(1).max(40);

const Head = z.strictObject({
  kind: z.enum(['request', 'socket']),
  method: z.string().regex(/^[A-Z]{1,16}$/),
  target: z.string().regex(/^\/[\x21-\x7e]*$/),
  headers: z.array(
    z.tuple([
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/),
      // What HTTP allows: nothing that could end the line.
      z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
    ]),
  ),
  bodyBytes: z.int().min(0),
});

export const Opening = z.strictObject({
  from: HostId,
  /** Of the daemon that asks. */
  instance: Instance,
  /** The end that frames to the asking host go to. */
  channel: ChannelId,
  head: Head,
});

export const OpeningAnswer = z.strictObject({
  /** The end that frames to the answering host go to. Null: it has too many. */
  channel: ChannelId.nullable(),
  instance: Instance,
});

/** Throws for a head that the other host would refuse. */
export function openingText(
  opening: Omit<z.infer<typeof Opening>, 'head'> & { head: ChannelHead },
): string {
  const text = JSON.stringify(opening);
  if (Buffer.byteLength(text) > MAX_OPENING_BYTES) {
    throw new AppError(
      'payload_too_large',
      `path and headers are too large: at most ${MAX_HEAD_BYTES} bytes go to another host`,
    );
  }
  const { error } = Opening.safeParse(opening);
  if (error === undefined) return text;
  throw new AppError(
    'invalid_query',
    `this cannot be sent to another host: ${z.prettifyError(error)}`,
  );
}
