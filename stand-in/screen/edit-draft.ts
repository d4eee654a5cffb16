import type { Key } from './keys.ts';

/** The text in the prompt box after one editing key; other keys leave it as it is. */
export function editDraft(draft: string, key: Key): string {
  switch (key.kind) {
    case 'text':
      return draft + key.text;
    case 'newline':
      return `${draft}\n`;
    case 'backspace':
      return draft.replace(/.$/su, '');
    case 'clear_line':
      return draft.slice(0, draft.lastIndexOf('\n', draft.length - 2) + 1);
    default:
      return draft;
  }
}
