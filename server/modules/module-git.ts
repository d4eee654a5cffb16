/** What a module needs of git: where its repository is, and that transient files stay out of it. */
import { resolve } from 'node:path';
import { addMissingLines } from '../lib/files/add-lines.ts';
import { execFile } from '../lib/processes/exec-file.ts';

const GIT_TIMEOUT_MS = 5_000;

/** Of every module; none of them is anything a person would commit. */
const TRANSIENT = [
  '.auto-signal',
  '.auto-signal.tmp*',
  '.auto-stop',
  '.auto-stop.tmp-*',
  '.index.json.tmp-*',
  '.lock',
  '.lock.claim',
  '.lock.tmp-*',
];

/** The top of the working tree the module is in; null outside git. */
export async function workingTree(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  return ask(directory, ['rev-parse', '--show-toplevel'], environment);
}

/** The branch that is checked out; null outside git and on none. */
export async function currentBranch(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  return ask(directory, ['symbolic-ref', '--quiet', '--short', 'HEAD'], environment);
}

/**
 * Lists the transient files of modules in the exclude file of this copy of the repository, which all
 * its worktrees share: only git knows where that is. Outside git, or where it cannot be written,
 * nothing happens: the files are harmless.
 */
export async function excludeTransientFiles(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const path = await ask(directory, ['rev-parse', '--git-path', 'info/exclude'], environment);
  if (path === null) return;
  try {
    addMissingLines(resolve(directory, path), TRANSIENT);
  } catch {
    // A repository of another user, a disk that is full.
  }
}

async function ask(
  cwd: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  // A hook of another repository hands its own on.
  const inherited = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(inherited), GIT_OPTIONAL_LOCKS: '0' };
  const answer = await execFile('git', args, { cwd, env, timeoutMs: GIT_TIMEOUT_MS });
  const text = answer.ok ? answer.stdout.replace(/\n$/, '') : '';
  return text === '' ? null : text;
}
