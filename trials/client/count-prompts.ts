/** How often a prompt is in the conversations that the clients of a home have written. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Line {
  type?: string;
  message?: { content?: unknown };
}

export function countPrompts(home: string, text: string): number {
  const directory = join(home, '.claude', 'projects');
  if (!existsSync(directory)) return 0;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => isPrompt(line, text)).length;
}

/** The last line of a client that was killed may be cut. */
function isPrompt(line: string, text: string): boolean {
  if (!line.includes(text)) return false;
  try {
    const { type, message } = JSON.parse(line) as Line;
    return type === 'user' && contentOf(message?.content) === text;
  } catch {
    return false;
  }
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const [block] = Array.isArray(content) ? (content as { text?: string }[]) : [];
  return block?.text ?? '';
}
