/**
 * A dialog: no prompt box, and at the bottom of the screen a selected option, a hint which key does
 * what, or both. A dialog quoted by an agent is above a prompt box and is never considered.
 */
import type { AgentCause } from '../../../shared/schema/agents/agent-state.ts';
import { isMarked, isRule, joinedText } from './screen-rows.ts';

export interface Dialog {
  cause: AgentCause;
  /** As the dialog words it. */
  detail: string | null;
}

const OPTION = /^(?:│ {0,3}| {1,6})[❯›●] ?\S|^[❯›] \d{1,2}\. /;
const HINT =
  /\b(?:enter|return|esc|escape)\b.{0,24}\bto\b(?! (?:interrupt|cancel the turn)\b)|\bpress (?:enter|any key)\b|\bctrl[-+]\w to\b/i;
/** Lines of a test run or a log mention keys, they do not offer them. */
const REPORTED = /^\s*(?:[✓✔✗✘×√] |(?:not )?ok \d|(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d{2})/;
const EDGE = /^(?:▔{3}|╭─|▁{3})/;
/** A viewer drawn by the client over everything else. */
const VIEWER = /\bto toggle$/i;
/** Starts the conversation above the dialog. */
const TRANSCRIPT = /^[●•■✗⏺] |^[❯›>] (?!\d{1,2}\. )\S/;
/** Marked rows a dialog may have below its selected option. */
const OF_DIALOG = /^(?:[│╰╭╯─━▔▁╌┌└├]|[❯›]? ?\d{1,2}\. |←|Enter |Esc |Press |Tab |↑)/;
/** A dialog without an upper edge is searched up to this many rows. */
const MAX_ROWS = 40;

/** In order. Matched against the dialog's own rows only. */
const CAUSES: readonly (readonly [RegExp, AgentCause])[] = [
  [
    /Make auto mode your default|Auto mode can learn your environment|^ *Switch to bypass permissions\?/im,
    'client_notice',
  ],
  [/Bypass Permissions mode/i, 'bypass_warning'],
  [/^ *Rewind$|^ *Restore the code and\/or/im, 'rewind'],
  [/^ *(?:Search|Filter) (?:prompts|history)\b/im, 'history_search'],
  [
    /^ *(?:Settings|Configuration) (?:Warning|Error)|Invalid (?:settings|configuration)/im,
    'settings_warning',
  ],
  [/\bMCP servers? (?:found|detected)|new MCP servers?/i, 'mcp_approval'],
  [
    /Accessing workspace|one you trust|trust (?:this|the (?:files|contents))|Do you trust/i,
    'trust',
  ],
  [
    /Select login method|Paste code here|sign in (?:with|to)|log ?in (?:to|with|method|successful)|authenticate for this/i,
    'login',
  ],
  [
    /custom API key|text style|Let's get started|Security notes|syntax theme|terminal setup/i,
    'first_run',
  ],
  [/^Enter to select|[☐☒] \S.*✔|^ *[☐☒] \S|submit your answers/im, 'question'],
  [
    /ready to (?:execute|code)|keep planning|manually approve edits|approve (?:this|the) plan|Exit plan mode/i,
    'plan',
  ],
  [
    /\bDo you want to |Would you like to (?:run|make|allow|proceed)|[Aa]llow (?:execution|once|this)|needs your permission|\bdon't ask again\b/,
    'permission',
  ],
];

/** For readable rows of a screen without a prompt box. */
export function readDialog(rows: readonly string[]): Dialog | null {
  const tail = rows.findLastIndex((row) => row !== '');
  if (tail === -1 || VIEWER.test(rows.slice(Math.max(0, tail - 1), tail + 1).join(' ')))
    return null;
  const option = rows.findLastIndex((row) => OPTION.test(row));
  const selected = option !== -1 && belongsTogether(rows, option, tail);
  // Narrow screens wrap it.
  const last = rows.slice(Math.max(0, tail - 3), tail + 1);
  const hint = HINT.test(last.filter((row) => !REPORTED.test(row)).join(' '));
  if (!selected && !hint) return null;
  const anchor = selected ? option : tail;
  const own = rows.slice(upperEdge(rows, anchor) + 1, tail + 1);
  const text = own.join('\n');
  const cause = CAUSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'dialog';
  return { cause, detail: joinedText(own) };
}

function belongsTogether(rows: readonly string[], option: number, tail: number): boolean {
  const below = rows.slice(option + 1, tail + 1);
  return below.every((row) => !isMarked(row) || isRule(row) || OF_DIALOG.test(row));
}

/** The line above the dialog; without one, the last thing the client or the shell wrote before it. */
function upperEdge(rows: readonly string[], anchor: number): number {
  const top = Math.max(0, anchor - MAX_ROWS);
  let written = top - 1;
  for (let index = anchor - 1; index >= top; index -= 1) {
    const row = rows[index] ?? '';
    if (isRule(row) || EDGE.test(row)) return index;
    if (TRANSCRIPT.test(row)) return Math.max(written, index);
    if (written < top && isMarked(row) && !OF_DIALOG.test(row)) written = index;
  }
  return written;
}
