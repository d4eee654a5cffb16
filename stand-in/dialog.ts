/** The question before a command runs: replaces the prompt box until it is answered. */
import type { Key } from './keys.ts';
import { type Box, dim, grey } from './style.ts';
import { wrapText } from './text-width.ts';

export interface Dialog {
  command: string;
  description: string;
}

export type DialogAnswer = 'yes' | 'no';

const CHOICES: Readonly<Record<string, DialogAnswer>> = { 1: 'yes', 2: 'no' };

/**
 * The answer a key means. Letters are swallowed, the first digit chooses, also when several
 * characters arrive in one read.
 */
function answerOf(key: Key): DialogAnswer | null {
  switch (key.kind) {
    case 'enter':
      return 'yes';
    case 'escape':
    case 'interrupt':
      return 'no';
    case 'text':
      return CHOICES[/[12]/.exec(key.text)?.[0] ?? ''] ?? null;
    default:
      return null;
  }
}

/** The cursor is at the choice, hidden. */
export function renderDialog({ command, description }: Dialog, columns: number): Box {
  const indented = (line: string) => wrapText(line, columns - 1).map((row) => ` ${row}`);
  const dashes = grey('╌'.repeat(columns));
  const above = [
    grey('─'.repeat(columns)),
    ' Bash command',
    ...(description === '' ? [] : indented(description).map(dim)),
    dashes,
    ...command.split('\n').flatMap(indented),
    dashes,
    ' Do you want to proceed?',
  ];
  const rows = [...above, ' ❯ 1. Yes', '   2. No', '', dim(' Esc to cancel')];
  return { rows, cursor: { row: above.length, column: 1 }, cursorHidden: true };
}

export class DialogDesk {
  readonly #onChange: () => void;
  #open: { dialog: Dialog; answer: (answer: DialogAnswer) => void } | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get view(): Dialog | null {
    return this.#open?.dialog ?? null;
  }

  /** Shows a dialog until `close`; resolves when a key answers it. */
  async ask(dialog: Dialog): Promise<DialogAnswer> {
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
    const answer = answerOf(key);
    if (this.#open === null) return false;
    if (answer !== null) this.#open.answer(answer);
    return true;
  }
}
