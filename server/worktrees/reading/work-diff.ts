import type { ChangedFile, WorkDiff } from '../../../shared/schema/tasks/project.ts';
import { AppError } from '../../lib/app-error.ts';
import { baseNow, commitOf } from '../git/branch-name.ts';
import type { Git, GitAt } from '../git/git.ts';
import { withContent } from './worktree-content.ts';
import { openInside } from './work-facts.ts';
import type { WorktreeRecord } from '../worktree-store.ts';

export const MAX_DIFF_FILES = 200;
export const MAX_PATCH_BYTES = 200 * 1024;

/** No external program decides how a file differs. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '-M'];

const STATUS: Record<string, ChangedFile['status']> = {
  A: 'added',
  C: 'added',
  M: 'modified',
  T: 'modified',
  D: 'deleted',
  R: 'renamed',
};

/**
 * How the content of a worktree, or of its branch where the directory is missing, differs from
 * where the branch began. The repository is left as it is. Throws `git_failed`.
 */
export async function readWorkDiff(
  git: Git,
  record: WorktreeRecord,
  scratch: string,
): Promise<WorkDiff> {
  const root = await git.at(record.repository);
  const inside = await openInside(git, record);
  if (inside === null) {
    const tip = (await baseNow(root, record.branch)) ?? record.baseCommit;
    return compare(root, record, await beginning(root, record, tip), tip, tip, {});
  }
  return withContent(inside, { scratch, forget: true }, async ({ head, tree }, env) => {
    const from = await beginning(root, record, head ?? record.baseCommit);
    return compare(inside, record, from, head ?? from, tree, env);
  });
}

/**
 * The difference between two commits of the repository, given as full ids. Throws `invalid_body` or
 * `git_failed`.
 */
export async function readDiffBetween(
  git: Git,
  record: WorktreeRecord,
  from: string,
  to: string,
): Promise<WorkDiff> {
  const root = await git.at(record.repository);
  for (const commit of [from, to]) {
    // Not a name: that may mean another commit a moment later.
    const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit);
    if (isId && (await commitOf(root, commit)) === commit) continue;
    const next = 'give the full id of a commit there';
    const what = `${JSON.stringify(commit)} is no commit of ${record.repository}`;
    throw new AppError('invalid_body', `${what}; ${next}`);
  }
  return compare(root, record, from, to, to, {});
}

/** The last commit that the branch has of its base. */
async function beginning(root: GitAt, record: WorktreeRecord, head: string): Promise<string> {
  const base = (await baseNow(root, record.base)) ?? record.baseCommit;
  return (await root.ask(['merge-base', base, head])) ?? record.baseCommit;
}

async function compare(
  git: GitAt,
  { repository, branch, base }: WorktreeRecord,
  from: string,
  head: string,
  to: string,
  env: Record<string, string>,
): Promise<WorkDiff> {
  // Counting lines and finding renames opens every new file.
  const options = { env, limit: 'content' as const };
  const list = ['diff-tree', '-r', '-z', '--raw', '--numstat', ...PLAIN, from, to];
  const since = await git.run(['diff-tree', '-r', '-z', '--name-only', head, to], options);
  const dirty = new Set(since.split('\0'));
  const all = parseChanges(await git.run(list, options), dirty);
  const files = all.slice(0, MAX_DIFF_FILES);
  const patch = await git.attempt(
    ['diff-tree', '-r', '-p', ...PLAIN, from, to, '--', ...files.flatMap(pathsOf)],
    { ...options, maxOutputBytes: MAX_PATCH_BYTES },
  );
  const whole = Buffer.from(files.length === 0 ? '' : patch.stdout);
  const text = whole.subarray(0, MAX_PATCH_BYTES).toString();
  const cut = whole.length > 0 && (!patch.ok || whole.length > MAX_PATCH_BYTES);
  return {
    repository,
    branch,
    base,
    files: files.map(({ from: _, ...file }) => file),
    patch: cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text,
    cut: cut || all.length > files.length,
  };
}

interface Change extends ChangedFile {
  /** Its earlier name. */
  from: string | null;
}

function pathsOf({ path, from }: Change): string[] {
  return (from === null ? [path] : [from, path]).map((each) => `:(top,literal)${each}`);
}

/** `listing` is the output of `--raw --numstat -z`, `dirty` the paths that are in no commit. */
export function parseChanges(listing: string, dirty: ReadonlySet<string>): Change[] {
  const fields = listing.split('\0');
  const changes = new Map<string, Change>();
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    const raw = /^:\d+ \d+ \S+ \S+ ([A-Z])/.exec(field);
    if (raw !== null) {
      const kind = raw[1] ?? '';
      const from = kind === 'R' || kind === 'C' ? (fields[(at += 1)] ?? '') : null;
      const path = fields[(at += 1)] ?? '';
      const status = STATUS[kind] ?? 'other';
      const isDirty = dirty.has(path) || (from !== null && dirty.has(from));
      changes.set(path, { path, status, additions: null, deletions: null, dirty: isDirty, from });
      continue;
    }
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (counts === null) continue;
    // A renamed file has its two names in separate fields.
    const path = counts[3] === '' ? (fields[(at += 2)] ?? '') : (counts[3] ?? '');
    const change = changes.get(path);
    if (change === undefined || counts[1] === '-') continue;
    change.additions = Number(counts[1]);
    change.deletions = Number(counts[2]);
  }
  return [...changes.values()];
}
