/**
 * Changes a JSON text in one place and leaves every other character as it is: order, indentation,
 * line ends. Pure; the text must be valid JSON.
 */

/** A member of an object or an element of an array: from its key (or value) to the end of its value. */
export interface Slot {
  key: string | null;
  from: number;
  value: number;
  to: number;
}

const SPACE = /[ \t\r\n]/;

/** Where the only value of the text begins. */
export function rootOf(text: string): number {
  return skipSpace(text, 0);
}

/** Of the object or array that begins at `at`. */
export function slotsOf(text: string, at: number): Slot[] {
  const isObject = text[at] === '{';
  const slots: Slot[] = [];
  let next = skipSpace(text, at + 1);
  while (!isClosing(text[next])) {
    const from = next;
    let key: string | null = null;
    if (isObject) {
      const end = endOfValue(text, from);
      key = JSON.parse(text.slice(from, end)) as string;
      next = skipSpace(text, skipSpace(text, end) + 1);
    }
    const value = next;
    const to = endOfValue(text, value);
    slots.push({ key, from, value, to });
    next = skipSpace(text, to);
    if (text[next] === ',') next = skipSpace(text, next + 1);
  }
  return slots;
}

/** Appends to the object or array at `at`, written as its surroundings are. `key`: of a member. */
export function append(text: string, at: number, key: string | null, value: unknown): string {
  const slots = slotsOf(text, at);
  const last = slots.at(-1);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const isInline = last !== undefined && !text.slice(at, last.from).includes('\n');
  if (isInline) {
    const written = JSON.stringify(value);
    const member = key === null ? written : `${JSON.stringify(key)}:${written}`;
    return insert(text, last.to, `,${member}`);
  }
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const outer = indentationAt(text, at);
  const inner = last === undefined ? outer + unit : indentationAt(text, last.from);
  const written = JSON.stringify(value, null, unit).split('\n').join(`${end}${inner}`);
  const member = key === null ? written : `${JSON.stringify(key)}: ${written}`;
  if (last !== undefined) return insert(text, last.to, `,${end}${inner}${member}`);
  return insert(text, at + 1, `${end}${inner}${member}${end}${outer}`);
}

/** Removes that slot, and everything between the braces with the last one. */
export function removeSlot(text: string, at: number, slot: Slot): string {
  const slots = slotsOf(text, at);
  const place = slots.findIndex(({ from }) => from === slot.from);
  const before = slots[place - 1];
  const after = slots[place + 1];
  if (before !== undefined) return text.slice(0, before.to) + text.slice(slot.to);
  if (after !== undefined) return text.slice(0, slot.from) + text.slice(after.from);
  const close = skipSpace(text, slot.to);
  return text.slice(0, at + 1) + text.slice(close);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

function indentationAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text[at] !== '{' && text[at] !== '[') {
    let end = at;
    while (end < text.length && !/[,\]}\s]/.test(text[end] ?? '')) end += 1;
    return end;
  }
  let depth = 0;
  for (let place = at; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if (character === '"') place = endOfString(text, place) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (isClosing(character)) depth -= 1;
    if (depth === 0) return place + 1;
  }
  return text.length;
}

function endOfString(text: string, at: number): number {
  let place = at + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place + 1;
}

function skipSpace(text: string, at: number): number {
  let place = at;
  while (place < text.length && SPACE.test(text[place] ?? '')) place += 1;
  return place;
}

/** The end of the text closes everything. */
function isClosing(character: string | undefined): boolean {
  return character === undefined || character === '}' || character === ']';
}
