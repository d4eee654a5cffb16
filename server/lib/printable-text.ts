/** What a program wrote for a terminal, as text to keep. */

/** Sequences that colour, move and name things: CSI, OSC and the like up to their end, and the short ones. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control bytes are what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
// eslint-disable-next-line no-control-regex -- the same
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Takes text; gives it without control sequences and control characters but tab and newline. */
export function printableText(text: string): string {
  return text.replaceAll(SEQUENCE, '').replaceAll('\r\n', '\n').replaceAll(CONTROL, '');
}
