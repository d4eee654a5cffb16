/** What a program may do to a person through a terminal, and a clipboard to a program. Pure. */

/** Where a link in a terminal may lead. Whatever runs there wrote it. */
const PROTOCOLS = ['http:', 'https:'];
const MAX_ADDRESS_LENGTH = 2048;

/**
 * Takes an address as a terminal gave it; gives it as the browser will go there, or null when it
 * must not be opened: another protocol than http and https, a name and password that could be
 * mistaken for the host, or too long to be read by anybody.
 */
export function openableAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (!PROTOCOLS.includes(protocol) || username !== '' || password !== '') return null;
  return href;
}

/** A paste beyond it belongs into a file: the daemon takes 1 MiB of keys a second. */
const MAX_PASTE_CHARACTERS = 256 * 1024;

export type PasteDecision =
  | { kind: 'type'; text: string }
  /** More than one line: each end of line may run what stands before it. */
  | { kind: 'ask'; text: string; lines: number }
  | { kind: 'refuse'; why: string };

/**
 * Takes the text of a clipboard; gives what to do. Control characters other than tab and the ends
 * of lines are removed: a text on a page can hold keys that nobody sees.
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
