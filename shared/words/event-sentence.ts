/** The parts that sentences about events have in common. */
import type { Tone } from './tone.ts';

export interface EventText {
  text: string;
  tone: Tone;
}

export function sentence(text: string, tone: Tone = 'idle'): EventText {
  return { text, tone };
}

/** Older events have no author. */
export function byAuthor({ author }: { author?: string | undefined }): string {
  return author === undefined ? '' : ` by ${author}`;
}

export function because(error: string | null): string {
  return error === null ? '' : ` (${error})`;
}
