/** The word of a reviewer: the line that says it, and the message that asks for it again. Pure. */
import { fencedLines } from '../../../shared/rules/text/fenced-lines.ts';
import { tail } from '../../../shared/rules/text/plain-text.ts';

export interface ReviewVerdict {
  verdict: 'pass' | 'fail' | 'unclear';
  /** The end of the text without its verdict, at most 4,000 characters. */
  findings: string;
}

const FINDINGS_LENGTH = 4_000;

/** The two lines a review may end with. The nonce is new for each review. */
export function verdictLines(nonce: string): { pass: string; fail: string } {
  return { pass: `REVIEW ${nonce}: PASS`, fail: `REVIEW ${nonce}: FAIL` };
}

/**
 * Only the last line with text counts, and only when it is exactly one of the two, plain or in bold,
 * outside code, and the text names the review nowhere else. Everything else is `unclear`. Linear,
 * and never throws.
 */
export function reviewVerdict(text: string, nonce: string): ReviewVerdict {
  const all = text.trimEnd();
  const lines = fencedLines(all);
  const last = lines.at(-1);
  const verdict = last === undefined || last.isCode ? null : verdictOf(last.line, nonce);
  const isOnly = all.split(`REVIEW ${nonce}`).length === 2;
  if (verdict === null || !isOnly) {
    return { verdict: 'unclear', findings: tail(all.trim(), FINDINGS_LENGTH) };
  }
  const before = lines.slice(0, -1).map(({ line }) => line);
  return { verdict, findings: tail(before.join('\n').trim(), FINDINGS_LENGTH) };
}

function verdictOf(line: string, nonce: string): 'pass' | 'fail' | null {
  const { pass, fail } = verdictLines(nonce);
  if (line === pass || line === `**${pass}**`) return 'pass';
  return line === fail || line === `**${fail}**` ? 'fail' : null;
}

/** Asks once more, for the verdict alone. */
export function verdictRequest(nonce: string): string {
  const { pass, fail } = verdictLines(nonce);
  return [
    'Your review did not end with a verdict that can be read. Do not review again; decide by what you found.',
    'Answer with exactly one of these two lines and nothing else, without code marks:',
    `${pass}\n${fail}`,
    'PASS only if the work does everything the task asks for and nothing you found has to be fixed. If in doubt, FAIL.',
  ].join('\n\n');
}
