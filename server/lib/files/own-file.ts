/** A small file that says something about this process as long as it runs. */
import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';

/**
 * Writes the file and returns the function that removes it, unless another process has replaced it
 * by then. `content` names this process.
 */
export function writeOwnFile(directory: string, name: string, content: string): () => void {
  writeFileAtomic(directory, name, content);
  return () => {
    const file = join(directory, name);
    try {
      if (readFileSync(file, 'utf8') === content) unlinkSync(file);
    } catch {
      // Already removed.
    }
  };
}
