/* eslint-disable no-control-regex -- control characters are what this file is about */
/** One key press or text at the keyboard, from a person or a supervisor. */
export type Key =
  | { kind: 'text'; text: string }
  | { kind: 'enter' | 'newline' | 'backspace' | 'clear_line' | 'escape' | 'interrupt' };

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** A control sequence, an SS3 key, or Alt with a character; none of them means anything here. */
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O\u0000-\u001f\u007f])/u;
const BEGUN_SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*|O)?$/;
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

const CONTROL_KEYS: Readonly<Record<string, Key>> = {
  '\r': { kind: 'enter' },
  '\n': { kind: 'newline' },
  '\u007f': { kind: 'backspace' },
  '\b': { kind: 'backspace' },
  '\u0015': { kind: 'clear_line' },
  '\u0003': { kind: 'interrupt' },
};

/**
 * Reads keys from terminal input. `rest` is the beginning of a sequence or paste whose end has not
 * arrived; a rest of one lone escape is the Escape key if nothing follows soon.
 */
export function parseKeys(input: string): { keys: Key[]; rest: string } {
  const keys: Key[] = [];
  let rest = input;
  while (rest !== '') {
    if (rest.startsWith(PASTE_START)) {
      const end = rest.indexOf(PASTE_END);
      if (end < 0) break;
      keys.push({ kind: 'text', text: plainText(rest.slice(PASTE_START.length, end)) });
      rest = rest.slice(end + PASTE_END.length);
    } else if (rest.startsWith('\u001b')) {
      if (BEGUN_SEQUENCE.test(rest)) break;
      const sequence = SEQUENCE.exec(rest);
      if (!sequence) keys.push({ kind: 'escape' });
      rest = rest.slice(sequence?.[0].length ?? 1);
    } else {
      const typed = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0] ?? '';
      const control = CONTROL_KEYS[rest.charAt(0)];
      if (typed) keys.push({ kind: 'text', text: plainText(typed) });
      else if (control) keys.push(control);
      rest = rest.slice(typed.length || 1);
    }
  }
  return { keys, rest };
}

function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ').replace(CONTROL, '');
}
