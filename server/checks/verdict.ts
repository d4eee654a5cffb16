/** What a model answered when it was asked whether a task is done. Strict: in any doubt nothing is read. */
import { z } from 'zod';

const Verdict = z.object({
  is_complete: z.boolean(),
  /** A JSON number: "0.9" in quotes is none. */
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Must be exceeded. */
const ENOUGH = 0.7;

const FENCE = /^[ \t]*```[ \t]*(?:json)?[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*\r?$/im;

/**
 * Takes the text of an answer; gives the verdict in its first fenced block, else in its first
 * balanced pair of braces, or null when that is none. Linear, and never throws.
 */
export function readVerdict(answer: string): Verdict | null {
  const json = firstBraces(FENCE.exec(answer)?.[1] ?? answer);
  if (json === null) return null;
  try {
    const read = Verdict.safeParse(JSON.parse(json));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Takes a verdict; tells whether it says, with more than enough confidence, that the task is done. */
export function isMet({ is_complete, confidence }: Verdict): boolean {
  return is_complete && confidence > ENOUGH;
}

/** From the first brace to the one that closes it; braces in strings do not count. */
function firstBraces(text: string): string | null {
  const start = text.indexOf('{');
  let depth = 0;
  let inString = false;
  for (let index = start; index !== -1 && index < text.length; index += 1) {
    const sign = text[index];
    if (inString && sign === '\\') index += 1;
    else if (sign === '"') inString = !inString;
    else if (!inString && sign === '{') depth += 1;
    else if (!inString && sign === '}' && --depth === 0) return text.slice(start, index + 1);
  }
  return null;
}
