/** What makes two failures the same, and when a run counts as stuck. Pure. */

export type Failure =
  | {
      checks: 'tests_failed' | 'gate_failed';
      /** Of the first check that failed. */
      name: string;
      exit_code: number | null;
      output: string;
    }
  /** The reviewer's, when all checks passed. */
  | { findings: string };

/** As many rounds in a row that changed nothing are enough. */
const UNCHANGED_LIMIT = 2;

/**
 * Counted from the end, after everything that varies is replaced: where a long output was cut then
 * makes no difference.
 */
const COMPARED_LENGTH = 8_000;

// eslint-disable-next-line no-control-regex -- the sequences of colours and of the cursor
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g;
/** With the part that was created with a random name; that of a gate's checkout too. */
const TEMPORARY =
  /(?<![\w.~-])(?:\/private)?(?:\/var\/folders\/[^/\s]+\/[^/\s]+\/T|\/var\/tmp|\/tmp(?:\/user\/\d+)?|\/dev\/shm)\/[^\s/:'"`)\]},;]+|(?<=\/checkouts)\/c-[A-Za-z0-9]{6}(?![A-Za-z0-9])/g;
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const DATE = new RegExp(
  [
    String.raw`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)(?!\d))?)?`,
    String.raw`\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:\d{1,2}[ /-])?(?:${MONTH})[ /-]\d{1,4}\b(?:,? \d{4}\b(?!:))?`,
  ].join('|'),
  'g',
);
const DURATION =
  /(?<![\w.])(?:\d+(?:[.,]\d+){0,4}\s?(?:ns|[µμu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b[ ,]{0,2})+/g;
/** One id may have digits alone and the next letters alone: replaced as a number is. */
const HEX =
  /(?<![\da-z])(?:0x[\da-f]+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{6,}|[a-f]{8,})(?![\da-z])/gi;
/** Also a clock, a version, a line with its column. */
const NUMBER = /\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?(?: ?[ap]\.?m\b\.?)?/gi;

/**
 * Equal for the same failure again: colours, dates, durations, numbers, hexadecimal ids, temporary
 * paths and blanks do not count, everything else does, in its order. One short line.
 */
export function failureSignature(failure: Failure): string {
  if ('findings' in failure) return `review ${hashOf(compared(failure.findings))}`;
  const { checks, name, exit_code, output } = failure;
  return `${checks} ${hashOf(`${name}\n${exit_code ?? 'none'}\n${compared(output)}`)}`;
}

/**
 * Why another round would most likely not help; null when it might. `signatures` is of all failures
 * so far, newest last, and `unchangedRounds` the newest rounds in a row that changed nothing.
 * `limit` is at least 2.
 */
export function stuckReason(
  signatures: readonly string[],
  unchangedRounds: number,
  limit: number,
): 'same_failure' | 'alternating' | 'no_change' | null {
  const newest = signatures.at(-1);
  const seen = signatures.filter((signature) => signature === newest).length;
  if (newest !== undefined && seen >= limit) {
    const last = signatures.slice(-limit);
    return last.every((signature) => signature === newest) ? 'same_failure' : 'alternating';
  }
  return unchangedRounds >= UNCHANGED_LIMIT ? 'no_change' : null;
}

function compared(text: string): string {
  const lines = text.replaceAll(SEQUENCE, '').split(/[\r\n]+/);
  const kept = lines.map(steady).filter(Boolean);
  return kept.join('\n').slice(-COMPARED_LENGTH);
}

/** A line without what varies from one time to the next. */
function steady(line: string): string {
  return line
    .replaceAll(TEMPORARY, '<temporary>')
    .replaceAll(DATE, '<date>')
    .replaceAll(DURATION, '<time> ')
    .replaceAll(HEX, '0')
    .replaceAll(NUMBER, '0')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** FNV-1a with 64 bits, as 16 hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
