import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRegular } from '../../../server/lib/files/hostile-file.ts';
import { excludeWorktrees } from '../../../server/worktrees/changing/create-worktree.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

it('WT20 anything but a file, or a larger one, counts as missing; a file is read, also through a link', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'r'));
  const at = (name: string) => join(root, name);
  writeFileSync(at('file'), 'text');
  writeFileSync(at('large'), 'more text');
  symlinkSync('file', at('link'));
  mkdirSync(at('directory'));
  execFileSync('mkfifo', [at('fifo')]);
  const names = ['file', 'link', 'large', 'directory', 'fifo', 'nothing'];
  expect(names.map((name) => readRegular(at(name), 4))).toEqual([
    'text',
    'text',
    null,
    null,
    null,
    null,
  ]);
  expect(readRegular('/dev/zero', 4)).toBe(null);
  rmSync(root, { recursive: true });
});

it('WT20 a FIFO in the place of the list of excluded files is refused at once', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'r'));
  mkdirSync(join(root, '.git/info'), { recursive: true });
  execFileSync('mkfifo', [join(root, '.git/info/exclude')]);
  expect(() => excludeWorktrees(root)).toThrow(
    /is not a file, or is larger than 1 MiB; replace it with a file/,
  );
  rmSync(root, { recursive: true });
});
