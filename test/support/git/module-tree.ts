/** Real task modules in real directories, as an agent leaves them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ModuleFiles {
  status?: string;
  title?: string;
  completed_steps?: number;
  target?: string;
  /** More files by name; folders in names are made. */
  more?: Record<string, string>;
}

export function indexText(fields: Omit<ModuleFiles, 'target' | 'more'> = {}): string {
  const { status = 'draft', title = '', completed_steps = 0 } = fields;
  return `${JSON.stringify({ title, status, phase: '', completed_steps })}\n`;
}

/** Returns the directory. */
export function writeModule(directory: string, files: ModuleFiles = {}): string {
  const { target = 'Greet by name\n', more = {}, ...fields } = files;
  const all = { '.index.json': indexText(fields), '.target.md': target, ...more };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
