import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TEST_ROOT } from '../house/test-root.ts';

/** A directory of the test's own with these files, by name; removed when the test ends. */
export function moduleDirectory(files: Record<string, string | Buffer | object> = {}): string {
  const directory = mkdtempSync(join(TEST_ROOT, 'm'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(directory, name), isText ? content : JSON.stringify(content));
  }
  return directory;
}
