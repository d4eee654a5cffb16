/** Limits what a program can do to a person by its terminal, and a clipboard to a program. Pure. */

/** Links in a terminal are written by the program in it. */
const PROTOCOLS = ['http:', 'https:'];
const MAX_ADDRESS_LENGTH = 2048;

/**
 * The address as the browser will open it, or null when it must not be opened: a protocol other
 * than http and https, credentials that could be mistaken for the host, or too long to read.
 */
export function openableAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (!PROTOCOLS.includes(protocol) || username !== '' || password !== '') return null;
  return href;
}

/** A larger paste belongs in a file: the daemon accepts 1 MiB of keys per second. */
const MAX_PASTE_CHARACTERS = 256 * 1024;

export type PasteDecision =
  | { kind: 'type'; text: string }
  /** Several lines: each end of line may run the text before it. */
  | { kind: 'ask'; text: string; lines: number }
  | { kind: 'refuse'; why: string };

/**
 * Removes control characters other than tab and line ends: text from a page can contain invisible
 * keys.
 */
export function decidePaste(clipboard: string): PasteDecision {
  if (clipboard.length > MAX_PASTE_CHARACTERS) {
    return { kind: 'refuse', why: 'Too long to paste. Put it in a file instead.' };
  }
  const text = withoutControls(clipboard);
  if (text === '') return { kind: 'refuse', why: 'The clipboard contains no text.' };
  const lines = text.split('\n').length;
  return lines === 1 ? { kind: 'type', text } : { kind: 'ask', text, lines };
}

function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is removed
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
