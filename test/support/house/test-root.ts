/** One temporary directory per test file, for everything a test creates. */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * In memory where possible: durable writes then cost a test no time. Short names, because terminal
 * sockets are below it.
 */
export const TEST_ROOT = makeRoot('/dev/shm') ?? makeRoot('/tmp') ?? mkdtempSync('lw-');

/** A new directory there, or null where programs cannot be written and run. */
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
