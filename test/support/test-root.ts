/** One temporary directory per test file; everything a test makes lies in it. */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * In memory where the system has such a place: durable writes then cost a test no time. Short names,
 * because terminal sockets lie below.
 */
export const TEST_ROOT = makeRoot('/dev/shm') ?? makeRoot('/tmp') ?? mkdtempSync('lw-');

/** Gives a new directory there, or null where programs cannot be written and run. */
function makeRoot(parent: string): string | null {
  try {
    const root = mkdtempSync(join(parent, 'lw-'));
    const program = join(root, 'program');
    writeFileSync(program, '', { mode: 0o755 });
    accessSync(program, constants.X_OK);
    rmSync(program);
    return root;
  } catch {
    return null;
  }
}
