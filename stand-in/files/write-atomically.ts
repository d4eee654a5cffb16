import { renameSync, writeFileSync } from 'node:fs';

/** Readers see the old text or the new one, never a part of it. */
export function writeAtomically(file: string, text: string, temporary = `${file}.tmp`): void {
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
