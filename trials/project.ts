/** A repository of a trial. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from '../server/lib/processes/exec-file.ts';

const GIT_MS = 30_000;

/** With one commit on `main`. Returns git for it, which throws what git said. */
export async function makeProject(project: string): Promise<(...words: string[]) => Promise<void>> {
  mkdirSync(project, { recursive: true });
  const git = async (...words: string[]) => succeed('git', ['-C', project, ...words]);
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Trial');
  await git('config', 'user.email', 'trial@localhost');
  writeFileSync(join(project, 'README.md'), '# Hello\n');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'Begin');
  return git;
}

export async function succeed(program: string, words: readonly string[]): Promise<void> {
  const result = await execFile(program, words, { timeoutMs: GIT_MS });
  if (!result.ok) throw new Error(`${program} ${words.join(' ')}: ${result.stderr}`);
}
