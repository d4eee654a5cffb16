/** The input of a tool call as transcripts hold it, reduced to what names its subject. */
import { z } from 'zod';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { boundedText } from '../bounded-text.ts';

/** Longer lines hold whole files. */
export const MAX_TRANSCRIPT_LINE = 256 * 1024;
const MAX_SUBJECT = 120;
/** What a call is about, the most telling first. */
const SUBJECTS = [
  'file_path',
  'notebook_path',
  'command',
  'pattern',
  'query',
  'url',
  'path',
  'description',
  'skill',
  'subject',
  'prompt',
];

const Text = boundedText(1_000).nullish().catch(null);
const Todos = z
  .array(z.object({ status: Text, content: Text, activeForm: Text }))
  .max(1_000)
  .nullish()
  .catch(null);
export const ToolInput = z.looseObject({
  todos: Todos,
  status: Text,
  activeForm: Text,
  subject: Text,
  content: Text,
});
export type ToolInput = z.infer<typeof ToolInput>;

/** The file, command or pattern it is about, in one line. */
export function subjectOf(input: ToolInput | null | undefined): string | null {
  const found = SUBJECTS.map((name) => input?.[name]).find((value) => typeof value === 'string');
  return found === undefined ? null : shortLine(found);
}

/** Without control characters, and short enough for a list. */
export function shortLine(text: string): string {
  return oneLine(text, MAX_SUBJECT);
}
