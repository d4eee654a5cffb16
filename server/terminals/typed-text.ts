/** C0 but tab and newline, DEL, and C1: each of them can break out of a bracketed paste. */
// eslint-disable-next-line no-control-regex -- these are the very bytes to remove
const CONTROL_BYTES = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Takes any text; gives it with the line ends of a terminal's paste and without control bytes. */
export function typedText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_BYTES, '');
}
