/** A question that replaces the prompt box until a key answers it. */
import type { Key } from './keys.ts';
import { type Box, withoutStyle } from '../style.ts';

export interface DialogView {
  /** From top to bottom; the first option is selected. */
  rows: (columns: number) => string[];
  /** Options that can be chosen, from 1. */
  options: number;
}

/** The number of the chosen option, or that it was left. */
export type DialogAnswer = number | 'left';

const SELECTED = /^ ?❯ \d/u;

/** The cursor is at the selected option, hidden. */
export function renderDialog(dialog: DialogView, columns: number): Box {
  const rows = dialog.rows(columns);
  const row = rows.findIndex((text) => SELECTED.test(withoutStyle(text)));
  const column = rows[row]?.startsWith(' ') === true ? 1 : 0;
  return { rows, cursor: { row, column }, cursorHidden: true };
}

export class DialogHost {
  readonly #onChange: () => void;
  #open: { dialog: DialogView; answer: (answer: DialogAnswer) => void } | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get view(): DialogView | null {
    return this.#open?.dialog ?? null;
  }

  /** Shows a dialog until `close`; resolves when a key answers it. */
  async ask(dialog: DialogView): Promise<DialogAnswer> {
    return new Promise((resolve) => {
      this.#open = { dialog, answer: resolve };
      this.#onChange();
    });
  }

  close(): void {
    this.#open = null;
    this.#onChange();
  }

  /** False when no dialog is open to take the key. */
  press(key: Key): boolean {
    if (this.#open === null) return false;
    const answer = answerOf(key, this.#open.dialog.options);
    if (answer !== null) this.#open.answer(answer);
    return true;
  }
}

/**
 * The answer a key means. Letters are swallowed, the first digit of an option chooses, also when
 * several characters arrive in one read.
 */
function answerOf(key: Key, options: number): DialogAnswer | null {
  switch (key.kind) {
    case 'enter':
      return 1;
    case 'escape':
    case 'interrupt':
      return 'left';
    case 'text': {
      const digits = (key.text.match(/\d/g) ?? []).map(Number);
      return digits.find((digit) => digit >= 1 && digit <= options) ?? null;
    }
    default:
      return null;
  }
}
