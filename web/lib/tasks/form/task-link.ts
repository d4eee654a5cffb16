/**
 * A link that opens the form of a new task. Its text comes from anyone, and what is created runs on
 * a host: it fills in the four plain fields, shows all of them, and sets nothing else. Pure.
 */
import { cut, oneLine, plainText } from '$shared/rules/text/plain-text.ts';
import type { TaskPrefill } from './task-prefill.ts';
import { emptyValues } from './task-values.ts';

/** A person reads all of it, and a longer address may not reach the daemon. */
const LONGEST_DESCRIPTION = 5_000;
const LONGEST_NAME = 200;
const LONGEST_DIRECTORY = 500;

/** Removes the link from an address. */
export const WITHOUT_TASK_LINK = {
  new: null,
  name: null,
  description: null,
  directory: null,
  base_branch: null,
} as const;

/** Whether the address opens the form. */
export function opensTaskForm(query: URLSearchParams): boolean {
  return query.has('new');
}

/** Null if the address fills in nothing. */
export function prefillFromLink(query: URLSearchParams): TaskPrefill | null {
  const read = (field: string, longest: number) => oneLine(query.get(field) ?? '', longest).trim();
  const name = read('name', LONGEST_NAME);
  const description = readable(query.get('description') ?? '');
  const rootFolder = read('directory', LONGEST_DIRECTORY);
  const baseBranch = read('base_branch', LONGEST_NAME);
  if (!opensTaskForm(query) || name + description + rootFolder + baseBranch === '') return null;
  return {
    values: {
      ...emptyValues(),
      typedName: name === '' ? null : name,
      description,
      rootFolder,
      baseBranch,
    },
    note: 'Filled in by a link. Check it before you create it.',
    tone: 'wait',
  };
}

/** Nothing unseen, and no empty space that moves text out of sight. */
function readable(text: string): string {
  const plain = plainText(text.slice(0, 2 * LONGEST_DESCRIPTION).replaceAll(/\r\n?/g, '\n'));
  const lines = plain.split('\n').map((line) => line.trimEnd().replaceAll(/\s{8,}/g, ' '));
  return cut(
    lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    LONGEST_DESCRIPTION,
  );
}
