/** C0 but tab and newline, DEL, and C1: each of them can break out of a bracketed paste. */
// eslint-disable-next-line no-control-regex -- these are the very bytes to remove
const CONTROL_BYTES = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** A terminal that reads whole lines keeps 4,095 bytes of one; some may stand there already. */
const MAX_LINE_BYTES = 4_000;

/** Takes any text; gives it with the line ends of a terminal's paste and without control bytes. */
export function typedText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_BYTES, '');
}

/** Takes typed text; tells whether a line of it is too long for a program that reads whole lines. */
export function hasLongLine(text: string): boolean {
  return (
    text.length * 3 > MAX_LINE_BYTES &&
    text.split('\n').some((line) => Buffer.byteLength(line) > MAX_LINE_BYTES)
  );
}
