/**
 * Keeps an emulator from answering. Programs query terminals for their type, cursor position or
 * colours; the daemon's terminal has already answered, and a second answer would be typed into the
 * running program. The daemon removes such queries; this does not rely on it.
 */

interface Sequence {
  prefix?: string;
  intermediates?: string;
  final: string;
}

/** The needed part of an emulator's parser; a handler that returns true ends the handling. */
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

/** What an emulator sends when the focus changes; no key sends it. */
const FOCUS_REPORTS = new Set(['\u001b[I', '\u001b[O']);

/** From now on no output is answered. */
export function silenceEmulator(parser: Parser): void {
  const swallow = () => true;
  for (const query of QUERIES) parser.registerCsiHandler(query, swallow);
  for (const number of STRINGS) parser.registerOscHandler(number, swallow);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow);
}

/** Whether `data` comes from a person. */
export function isTyped(data: string): boolean {
  return !FOCUS_REPORTS.has(data);
}
