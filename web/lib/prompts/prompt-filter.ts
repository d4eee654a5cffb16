/** Which prompts of the library are shown. Pure. */
import type { Prompt } from '$shared/schema/tasks/prompt.ts';

export interface PromptFilter {
  category: string | null;
  text: string;
}

/** Takes the query of an address; gives what it asks for. */
export function readPromptFilter(query: URLSearchParams): PromptFilter {
  return { category: query.get('category'), text: query.get('q') ?? '' };
}

/** Takes a filter; gives the fields of the query that say it. */
export function writePromptFilter({ category, text }: PromptFilter): Record<string, string | null> {
  return { category, q: text.trim() === '' ? null : text };
}

/** Takes a prompt and a filter; tells whether all of its words are in title, text, category or tags. */
export function passesPromptFilter(prompt: Prompt, { category, text }: PromptFilter): boolean {
  if (category !== null && prompt.category !== category) return false;
  const all = [prompt.title, prompt.content, prompt.tags, prompt.category].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Takes prompts; gives their categories by name, each once. */
export function categoriesOf(prompts: readonly Prompt[]): string[] {
  const named = prompts.flatMap(({ category }) => category ?? []).filter((name) => name !== '');
  return [...new Set(named)].sort((a, b) => a.localeCompare(b));
}
