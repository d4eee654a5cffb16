import type { Rest } from '$lib/client/rest.ts';

/** As many rows as one answer holds. */
const ROWS = '1000';
/** Longer nobody waits to see the terminal itself. */
const TIMEOUT_MS = 2_000;

/**
 * Takes a session and the rows of its terminal; gives what to write to an empty emulator so that the
 * rows that scrolled off stand above its screen. Empty when they cannot be read: they are an extra.
 */
export async function readScrollback(rest: Rest, session: string, rows: number): Promise<string> {
  try {
    const query = { lines: ROWS };
    const { lines } = await rest.call('getScrollback', { session, query, timeoutMs: TIMEOUT_MS });
    if (lines.length === 0) return '';
    // What is on the screen is pushed off it by as many ends of line as it has rows below the first.
    return lines.map((line) => `${line}\u001b[0m\r\n`).join('') + '\n'.repeat(rows - 1);
  } catch {
    return '';
  }
}
