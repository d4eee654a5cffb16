/** Which prompts of the library are shown. Pure. */
import type { Prompt } from '$shared/schema/tasks/prompt.ts';

export interface PromptFilter {
  category: string | null;
  text: string;
}

export function readPromptFilter(query: URLSearchParams): PromptFilter {
  return { category: query.get('category'), text: query.get('q') ?? '' };
}

export function writePromptFilter({ category, text }: PromptFilter): Record<string, string | null> {
  return { category, q: text.trim() === '' ? null : text };
}

/** Every word of the filter must be in title, text, category or tags. */
export function passesPromptFilter(prompt: Prompt, { category, text }: PromptFilter): boolean {
  if (category !== null && prompt.category !== category) return false;
  const all = [prompt.title, prompt.content, prompt.tags, prompt.category].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Sorted by name, unique. */
export function categoriesOf(prompts: readonly Prompt[]): string[] {
  const named = prompts.flatMap(({ category }) => category ?? []).filter((name) => name !== '');
  return [...new Set(named)].sort((a, b) => a.localeCompare(b));
}
