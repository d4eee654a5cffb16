/** How the last turn ended, read from the rows above an idle prompt box. */
import type { AgentCause, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import { isTurnEnd } from './activity-row.ts';
import { errorCause, readLimitLine } from '../failure-patterns.ts';
import { blockEnd, joinedText, lastMarked } from './screen-rows.ts';

export interface Outcome {
  state: Extract<
    AgentStateName,
    'ready' | 'limited' | 'errored' | 'interrupted' | 'background' | 'working'
  >;
  cause: AgentCause;
  detail: string | null;
  untilText: string | null;
}

const PROMPT = /^[❯>] \S/;
/** The client's own answer comes after a corner. */
const CORNER = /^ {1,4}⎿ {1,3}(\S.*)$/;
const GIVEN_UP =
  /^(?:API Error|Please run \/login|There's an issue with the selected model|Invalid API key|Credit balance|Prompt is too long|OAuth |Not logged in|Request timed out|Unable to connect|Connection error)/;
const STOPPED =
  /^(?:Interrupted\b|\[Request interrupted|Interrupted by user|Rejected |User rejected|Tool use rejected)/;
/** What directly follows a call is its result. */
const TOOL_CALL = /^● [\w:.-]+(?: - [\w-]+ \(MCP\))?\(/;
const DECLINED = /^● (?:Declined to answer|User declined|User rejected )/;
const UNKNOWN_COMMAND = /^Unknown (?:slash )?command: \//;
const UNKNOWN_ARGUMENTS = /^● Args from unknown skill: /;
/** A limit holds whether or not the client continues on its own after it. */
const CONTINUES = /^● (?:Usage limit reached|Automatic continue cancelled)\b/i;
const SHELLS = /\b\d+ (?:\w+ )?(?:shells?|bash(?:es)?|monitors?|background (?:tasks?|commands?))\b/;
const READY: Outcome = { state: 'ready', cause: 'none', detail: null, untilText: null };

/** From readable rows, the start of the box, and the rows under it. */
export function readOutcome(
  rows: readonly string[],
  end: number,
  footer: readonly string[],
): Outcome {
  const last = lastMarked(rows, end);
  const outcome =
    limitOf(rows, last, end, footer) ??
    failureOf(rows, last, end) ??
    missingCommand(rows, last, end);
  if (outcome !== null) return outcome;
  const row = rows[last] ?? '';
  const background = isTurnEnd(row) ? [row, ...footer] : footer;
  const shells = background.find((text) => SHELLS.test(text));
  if (shells === undefined) return READY;
  return { ...READY, state: 'background', cause: 'shell', detail: joinedText([shells]) };
}

/** The client's newest message, unless the end of a turn or an answer comes after it. */
function limitOf(
  rows: readonly string[],
  last: number,
  end: number,
  footer: readonly string[],
): Outcome | null {
  const notice = footer.find((row) => /^ {1,4}⚠/.test(row) && readLimitLine(row) !== null);
  const answers = (index: number) => !CONTINUES.test(rows[index] ?? '');
  let index = last;
  while (index >= 0 && !answers(index)) index = lastMarked(rows, index);
  // 2.1.197 ends such a turn with a line of its own; then only the corner under a prompt counts.
  const ended = isTurnEnd(rows[index] ?? '');
  if (ended) index = lastMarked(rows, index);
  const row = rows[index] ?? '';
  const corner = index === -1 ? null : limitCorner(rows, index, end, ended);
  const line = corner === null ? null : readLimitLine(corner);
  if (line !== null && corner !== null) return { state: 'limited', ...line, detail: corner };
  const own =
    notice ?? (last !== index && !ended && !row.startsWith('> ') ? rows[last] : undefined);
  const read = own === undefined ? null : readLimitLine(own);
  return read === null || own === undefined
    ? null
    : { state: 'limited', ...read, detail: joinedText([own]) };
}

/** Under a prompt it is the client's text; elsewhere only where no answer could be. */
function limitCorner(
  rows: readonly string[],
  marked: number,
  end: number,
  ended: boolean,
): string | null {
  const row = rows[marked] ?? '';
  const corner = cornerOf(rows, marked, blockEnd(rows, marked, end));
  if (PROMPT.test(row) && corner !== null) return corner;
  // Clients with the older mark end a turn silently, so a quotation could come last.
  const older = rows.slice(0, end).some((other) => other.startsWith('> '));
  if (ended || older || !/^[●❯] /.test(row)) return null;
  const above = TOOL_CALL.test(row) ? blockEnd(rows, marked, end) - 1 : marked;
  return cornerOf(rows, above, end);
}

function failureOf(rows: readonly string[], last: number, end: number): Outcome | null {
  const ended = isTurnEnd(rows[last] ?? '');
  // Only clients that do not print when they were done end a failed turn with such a line.
  if (ended && /\bdone \d/.test(rows[last] ?? '')) return null;
  const index = ended ? lastMarked(rows, last) : last;
  if (index === -1) return null;
  const row = rows[index] ?? '';
  const corner = cornerOf(rows, index, end);
  if (corner !== null && !ended && STOPPED.test(corner)) {
    return { ...READY, state: 'interrupted', detail: corner };
  }
  if (DECLINED.test(row)) return { ...READY, state: 'interrupted', detail: row.slice(2, 300) };
  const answer = row.startsWith('● ')
    ? joinedText([row.slice(2), ...rows.slice(index + 1, blockEnd(rows, index, end))])
    : PROMPT.test(row)
      ? onlyCornerOf(rows, index, end)
      : null;
  if (answer === null || !GIVEN_UP.test(answer)) return null;
  return { ...READY, state: 'errored', cause: errorCause(answer), detail: answer };
}

/** The client does not know the command that was typed. No turn ends after this message. */
function missingCommand(rows: readonly string[], last: number, end: number): Outcome | null {
  const index = UNKNOWN_ARGUMENTS.test(rows[last] ?? '') ? lastMarked(rows, last) : last;
  const row = rows[index] ?? '';
  const message = PROMPT.test(row)
    ? cornerOf(rows, index, blockEnd(rows, index, end))
    : row.startsWith('● ')
      ? joinedText([row.slice(2)])
      : null;
  if (message === null || !UNKNOWN_COMMAND.test(message)) return null;
  return { ...READY, cause: 'command_missing', detail: message };
}

/** The text of the only corner under a prompt, which may have several paragraphs. */
function onlyCornerOf(rows: readonly string[], marked: number, end: number): string | null {
  const corners = rows.slice(marked + 1, end).filter((row) => CORNER.test(row));
  return corners.length === 1 ? cornerOf(rows, marked, end) : null;
}

/** The text of the last corner between a marked row and an end, with its further rows. */
function cornerOf(rows: readonly string[], marked: number, end: number): string | null {
  for (let index = end - 1; index > marked; index -= 1) {
    const corner = CORNER.exec(rows[index] ?? '')?.[1];
    if (corner !== undefined) {
      return joinedText([corner, ...rows.slice(index + 1, blockEnd(rows, index, end))]);
    }
  }
  return null;
}
