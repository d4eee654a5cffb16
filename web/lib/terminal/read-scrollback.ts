import type { Rest } from '$lib/client/rest.ts';

/** The most rows one answer holds. */
const ROWS = '1000';
/** No one waits longer to see the terminal itself. */
const TIMEOUT_MS = 2_000;

/**
 * What to write to an empty emulator so that the scrollback is above its screen; `rows` of the
 * terminal. Empty when it cannot be read, because it is optional.
 */
export async function readScrollback(rest: Rest, session: string, rows: number): Promise<string> {
  try {
    const query = { lines: ROWS };
    const { lines } = await rest.call('getScrollback', { session, query, timeoutMs: TIMEOUT_MS });
    if (lines.length === 0) return '';
    // As many newlines as there are rows below the first push the rows off the screen.
    return lines.map((line) => `${line}\u001b[0m\r\n`).join('') + '\n'.repeat(rows - 1);
  } catch {
    return '';
  }
}
