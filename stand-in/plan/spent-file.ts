/** What the stand-ins of one home have spent: a line for each request, in the order of their ends. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const SPENT_FILE = 'stand-in-spent.ndjson';

const Spent = z.strictObject({
  /** Wall times in milliseconds. */
  began_ms: z.number(),
  at_ms: z.number(),
  cwd: z.string(),
  conversation: z.string(),
  /** Where it is reported: in a transcript, in the result of a turn, or in both. */
  reported: z.enum(['transcript', 'result', 'both']),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_creation_tokens: z.int(),
});
export type Spent = z.infer<typeof Spent>;

/** Oldest first. */
export function readSpent(clientHome: string): Spent[] {
  let text: string;
  try {
    text = readFileSync(path.join(clientHome, SPENT_FILE), 'utf8');
  } catch {
    return [];
  }
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => Spent.parse(JSON.parse(line)));
}

export function noteSpent(clientHome: string, spent: Spent): void {
  appendFileSync(path.join(clientHome, SPENT_FILE), `${JSON.stringify(spent)}\n`);
}
