/** The tool calls in the lines of a client's transcript, those of subagents included. */
import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';
import { MAX_TRANSCRIPT_LINE } from './tool-input.ts';

/** Every line of interest contains this; others are not parsed. */
const SIGN = '"tool_use"';

const Line = z.object({
  type: z.literal('assistant'),
  message: z.object({ content: z.array(z.looseObject({ type: z.string() })) }),
});

/** Name and arguments of each call, oldest first, as text; equal only for equal calls. */
export function toolCalls(transcript: string): string[] {
  return transcript.split('\n').flatMap((line) => {
    if (line.length > MAX_TRANSCRIPT_LINE || !line.includes(SIGN)) return [];
    const { success, data } = Line.safeParse(parseJson(line));
    if (!success) return [];
    const calls = data.message.content.filter(({ type }) => type === 'tool_use');
    return calls.map(({ name, input }) => JSON.stringify([name, input]));
  });
}
