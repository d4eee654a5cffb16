/** The task's own record of its status: `.index.json`, or `.index.md` of older task modules. */
import { join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../lib/hostile-file.ts';

const MAX_INDEX_BYTES = 256 * 1024;

const TaskStatus = z.enum([
  'draft',
  'planning',
  'review',
  'executing',
  're-planning',
  'complete',
  'blocked',
  'cancelled',
]);

const Index = z.object({ status: TaskStatus });

/** Null when no index has one. */
export function readTaskStatus(taskDir: string): z.infer<typeof TaskStatus> | null {
  const json = readHostileFile(join(taskDir, '.index.json'), MAX_INDEX_BYTES);
  if (json.kind === 'text') {
    try {
      return Index.parse(JSON.parse(json.text)).status;
    } catch {
      return null;
    }
  }
  const markdown = readHostileFile(join(taskDir, '.index.md'), MAX_INDEX_BYTES);
  if (markdown.kind !== 'text') return null;
  const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(markdown.text)?.[1] ?? '';
  const status = /^status:\s*["']?([a-z-]+)["']?\s*$/m.exec(frontMatter)?.[1];
  return TaskStatus.safeParse(status).data ?? null;
}
