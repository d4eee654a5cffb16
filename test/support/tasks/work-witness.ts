/** Records what agents write and commit in the worktrees of a repository, and checks later where it is. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../git/git-repository.ts';

const WORKTREES = '.claude_worktrees';
const LASTING = ['refs/heads', 'refs/loopwatch/backup'];
const ID_LENGTH = 40;
const POLL_EVERY_MS = 400;

export class WorkWitness {
  readonly commits = new Set<string>();
  /** `<task>/<file>` and its content. The agents write each file once. */
  readonly files = new Map<string, string>();
  readonly #repository: string;
  readonly #timer: NodeJS.Timeout;

  constructor(repository: string) {
    this.#repository = repository;
    this.#timer = setInterval(() => this.look(), POLL_EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const places = join(this.#repository, WORKTREES);
    if (!existsSync(places)) return;
    for (const task of readdirSync(places)) {
      for (const file of names(join(places, task)).filter((name) => name.endsWith('.txt'))) {
        const text = read(join(places, task, file));
        // One that is being written has no end yet.
        if (text?.endsWith('.\n') === true) this.files.set(`${task}/${file}`, text);
      }
    }
    // A verified snapshot is replaced by the next one, and contains no commit of an agent.
    const heads = git(this.#repository, 'for-each-ref', '--format=%(objectname)', ...LASTING);
    for (const head of heads.split('\n').filter(Boolean)) this.commits.add(head);
  }

  /** The commits that no ref leads to, and the files that are in no worktree and no ref. */
  lost(): string[] {
    const kept = git(this.#repository, 'rev-list', '--all', '--objects').split('\n');
    const objects = new Set(kept.map((line) => line.slice(0, ID_LENGTH)));
    const commits = [...this.commits].filter((commit) => !objects.has(commit));
    const files = [...this.files].filter(([path, text]) => {
      const isThere = read(join(this.#repository, WORKTREES, path)) === text;
      return !isThere && !objects.has(blobId(text));
    });
    return [...commits, ...files.map(([path]) => path)];
  }
}

/** Git's id for that content. */
function blobId(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
