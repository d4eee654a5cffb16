/** What the agent of a conversation said last. */
import { z } from 'zod';
import type { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { boundedText } from '../agents/bounded-text.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { parseJson } from '../lib/parse-json.ts';

const MAX_TAIL_BYTES = 128 * 1024;
const MAX_TEXT = 4_000;

const Line = z.object({
  type: z.literal('assistant'),
  isSidechain: z.boolean().nullish().catch(null),
  message: z.object({
    content: z
      .array(z.object({ type: z.string(), text: boundedText(MAX_TEXT).nullish().catch(null) }))
      .max(100),
  }),
});

/** Null without a transcript, and when it is not near its end. Words of subagents do not count. */
export function lastWords(files: TranscriptFiles, conversation: string): string | null {
  const path = files.find(conversation);
  if (path === null) return null;
  const file = readHostileFile(path, MAX_TAIL_BYTES, 'last_lines');
  if (file.kind !== 'text') return null;
  for (const line of file.text.split('\n').reverse()) {
    const text = textOf(line);
    if (text !== '') return text;
  }
  return null;
}

function textOf(line: string): string {
  if (!line.includes('"assistant"')) return '';
  const { success, data } = Line.safeParse(parseJson(line));
  if (!success || data.isSidechain === true) return '';
  const texts = data.message.content.flatMap(({ type, text }) =>
    type === 'text' ? (text ?? '') : [],
  );
  return texts.join('\n\n').trim().slice(0, MAX_TEXT);
}
