/** One temporary directory per test file; everything a test makes lies in it. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

// Short, because terminal sockets lie below it. Not TMPDIR, which can be long.
export const TEST_ROOT = mkdtempSync(join('/tmp', 'lw-'));
