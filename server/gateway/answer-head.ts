/** What the asked host says first in a channel: its decision. A body or frames follow. */
import { z } from 'zod';
import { parseJson } from '../lib/parse-json.ts';

const AnswerHead = z.object({
  /** 101: the socket is open. */
  status: z.int().min(101).max(599),
  headers: z.array(z.tuple([z.string().max(64), z.string().max(1024)])).max(64),
});
export type AnswerHead = z.infer<typeof AnswerHead>;

export const SWITCHED = 101;

export function encodeAnswerHead(head: AnswerHead): string {
  return JSON.stringify(head);
}

/** Null for anything else. */
export function readAnswerHead(text: string): AnswerHead | null {
  return AnswerHead.safeParse(parseJson(text)).data ?? null;
}
