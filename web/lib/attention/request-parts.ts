/**
 * Splits what an agent wants to do into parts a person can judge: the command, the change to a
 * file, and everything else in the input, so that nothing is approved unseen. Pure.
 */
import type { AgentRequest } from '$shared/schema/attention/attention.ts';
import { type DiffLine, lineDiff } from '$shared/rules/text/line-diff.ts';

export type RequestPart =
  /** A short value that fits next to its name. */
  | { kind: 'fact'; label: string; text: string }
  | { kind: 'text'; label: string; text: string }
  | { kind: 'command'; label: string; text: string }
  | { kind: 'change'; label: string; lines: DiffLine[] };

/** A longer value gets its own lines. */
const SHORT = 80;

type Input = Readonly<Record<string, unknown>>;

/** In the order of the input; each key is in exactly one part. */
export function requestParts({ input }: Pick<AgentRequest, 'input'>): RequestPart[] {
  const change = isEdit(input) ? lineDiff(input.old_string, input.new_string) : null;
  return Object.entries(input).flatMap(([key, value]): RequestPart[] => {
    if (change !== null && key === 'old_string') return [];
    if (change !== null && key === 'new_string') {
      return [{ kind: 'change', label: 'change', lines: change }];
    }
    if (key === 'edits' && isEdits(value)) return value.map(editPart);
    if (typeof value !== 'string') return [described(key, JSON.stringify(value, null, 2))];
    if (key === 'command') return [{ kind: 'command', label: key, text: value }];
    // A whole file: every line of it is new.
    if (key === 'content' && 'file_path' in input) {
      return [{ kind: 'change', label: 'content', lines: lineDiff('', value) }];
    }
    return [described(key, value)];
  });
}

function editPart(edit: Edit, place: number): RequestPart {
  const { old_string, new_string, ...rest } = edit;
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  const lines = lineDiff(old_string, new_string);
  return { kind: 'change', label: `change ${place + 1}${more}`, lines };
}

function described(label: string, text: string): RequestPart {
  const isShort = text.length <= SHORT && !text.includes('\n');
  return { kind: isShort ? 'fact' : 'text', label, text };
}

interface Edit {
  old_string: string;
  new_string: string;
}

function isEdit(value: unknown): value is Edit {
  if (typeof value !== 'object' || value === null) return false;
  const { old_string, new_string } = value as Input;
  return typeof old_string === 'string' && typeof new_string === 'string';
}

function isEdits(value: unknown): value is Edit[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEdit);
}
