/** A tool call as the text of a conversation. */

const CALL = /^\[Tool use: [^\]]*\] /;
/** The first field of an input that may be cut, when it is a string. */
const FIRST_FIELD = /^\{"(?:[^"\\]|\\.)*":"((?:[^"\\]|\\["\\/bfnrt]|\\u[\da-f]{4})*)/i;

/** An input of one string is that string, any other is JSON. */
export function toolCallText(tool: string, input: unknown): string {
  return `[Tool use: ${tool}] ${written(input)}`;
}

/**
 * What a call is about, from its text or the beginning of it: a command, a path, a pattern, which
 * clients send first. Empty when the first field of the input is no string.
 */
export function toolCallSubject(text: string): string {
  const input = text.replace(CALL, '');
  if (!input.startsWith('{')) return input;
  const [, field = ''] = FIRST_FIELD.exec(input) ?? [];
  return JSON.parse(`"${field}"`) as string;
}

function written(input: unknown): string {
  if (input === undefined) return '';
  if (typeof input !== 'object' || input === null) return JSON.stringify(input);
  const [[, only] = ['', null], ...others] = Object.entries(input);
  return others.length === 0 && typeof only === 'string' ? only : JSON.stringify(input);
}
