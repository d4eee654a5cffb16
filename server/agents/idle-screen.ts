/**
 * Whether a screen shows an agent that waits for its next prompt: for clients without a status
 * record. Looks at structure only (prompt box, rows that start at column 0), never at what the agent
 * wrote about.
 */

const RULE = /^─{10,}/;
const PROMPT = /^❯(\s|$)/;
const SPINNER = /^[·✢*✶✻✽] .*…/;

/** Takes plain rows; true when there is an empty-handed prompt box and nothing is at work above it. */
export function isIdleScreen(rows: readonly string[]): boolean {
  const box = rows.findLastIndex(
    (row, index) =>
      PROMPT.test(row) && RULE.test(rows[index - 1] ?? '') && RULE.test(rows[index + 1] ?? ''),
  );
  if (box === -1) return false;
  const footer = rows.slice(box + 2);
  if (footer.some((row) => row.includes('esc to interrupt'))) return false;
  // The spinner stands close above the box, under the transcript.
  return !rows.slice(Math.max(0, box - 6), box).some((row) => SPINNER.test(row));
}
