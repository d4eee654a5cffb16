/**
 * Keeps an emulator from speaking for itself. Programs ask terminals what they are, where the cursor
 * is or which colours they have; the daemon's terminal has answered already, and an answer of ours
 * would be typed into whatever runs. The daemon takes such questions out; this does not rely on it.
 */

interface Sequence {
  prefix?: string;
  intermediates?: string;
  final: string;
}

/** The part of an emulator's parser that is needed; a handler that gives true is the last one. */
interface Parser {
  registerCsiHandler(id: Sequence, handler: () => boolean): unknown;
  registerDcsHandler(id: Sequence, handler: () => boolean): unknown;
  registerOscHandler(id: number, handler: () => boolean): unknown;
}

/** Device attributes and reports, modes, window operations, terminal parameters. */
const QUERIES: readonly Sequence[] = [
  ...['', '>', '=', '?'].map((prefix) => ({ ...(prefix && { prefix }), final: 'c' })),
  ...['', '>', '?'].map((prefix) => ({ ...(prefix && { prefix }), final: 'n' })),
  ...['', '?'].map((prefix) => ({ ...(prefix && { prefix }), intermediates: '$', final: 'p' })),
  ...['', '>', '?'].map((prefix) => ({ ...(prefix && { prefix }), final: 't' })),
  { final: 'x' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
];

/** Titles, colours, the working directory, notifications, the clipboard; all but links (8). */
const STRINGS = [
  0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 22, 50, 51, 52, 99, 104, 105, 110,
  111, 112, 133, 633, 777, 1337,
];

/** What an emulator says when the focus comes or goes; no key gives it. */
const FOCUS_REPORTS = new Set(['\u001b[I', '\u001b[O']);

/** Takes the parser of an emulator; from now on nothing that is written is answered. */
export function silenceEmulator(parser: Parser): void {
  const swallow = () => true;
  for (const query of QUERIES) parser.registerCsiHandler(query, swallow);
  for (const number of STRINGS) parser.registerOscHandler(number, swallow);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow);
}

/** Takes what an emulator wants to send; tells whether a person did it. */
export function isTyped(data: string): boolean {
  return !FOCUS_REPORTS.has(data);
}
