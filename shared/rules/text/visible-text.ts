/**
 * Untrusted text that a person must approve: anything that makes it read differently from what it
 * does is found, named, and shown in place. Look-alike letters are not found.
 */

export interface TextPart {
  /** As shown; for a hidden character its code as `\u{…}`. */
  text: string;
  /** `layout`: a tab or the end of a line. `hidden`: invisible, or it moves visible text. */
  kind: 'plain' | 'layout' | 'hidden';
  /** The name of a hidden character; null for the rest. */
  name: string | null;
}

/**
 * Controls, format and unassigned characters, line separators, characters fonts do not draw, blanks
 * that a shell does not treat as spaces, and the braille blank.
 */
const SPECIAL = /\p{C}|[\u2028\u2029\u2800]|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/gu;

const LAYOUT: Record<string, string> = { '\t': '⇥\t', '\n': '↵\n' };

const NAMES: Record<number, string> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of a direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first-strong isolate',
  0x2069: 'end of an isolate',
  0xfeff: 'zero-width no-break space',
};

/** In order; linear time. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(SPECIAL)) {
    if (index > end) parts.push({ text: text.slice(end, index), kind: 'plain', name: null });
    parts.push(partOf(found));
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), kind: 'plain', name: null });
  return parts;
}

/** Names of the hidden characters, with counts. */
export function hiddenIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of visibleParts(text)) {
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function partOf(found: string): TextPart {
  const layout = LAYOUT[found];
  if (layout !== undefined) return { text: layout, kind: 'layout', name: null };
  const code = found.codePointAt(0) ?? 0;
  return { text: `\\u{${code.toString(16)}}`, kind: 'hidden', name: nameOf(found, code) };
}

function nameOf(found: string, code: number): string {
  const known = NAMES[code];
  if (known !== undefined) return known;
  if (/\p{Zs}|\u2800/u.test(found)) return 'unusual blank';
  return /\p{Cc}/u.test(found) ? 'control character' : 'invisible character';
}
