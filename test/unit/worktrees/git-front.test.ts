/** What a front needs of a repository, and what it leaves alone. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeShared } from '../../../server/worktrees/git/git-front.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

it('WT51 what git creates itself is created in a repository, and nothing where there is none', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'front-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const repository = join(root, '.git');
  makeShared(repository);
  expect(existsSync(repository)).toBe(false);
  mkdirSync(join(repository, 'logs'), { recursive: true });
  makeShared(repository);
  expect(readdirSync(repository)).toEqual(['logs', 'worktrees']);
});
