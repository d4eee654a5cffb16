/** The review of one task or run: comments not sent yet and files viewed, kept in this browser. */
import { storageKey } from '$lib/state/page-host.ts';
import type { ChangedFile } from '$shared/schema/tasks/project.ts';
import type { PatchLine } from './parse-patch.ts';
import type { LineRef, ReviewComment } from './review-message.ts';

interface Kept {
  /** When it changed last, in milliseconds; the oldest reviews make room for new ones. */
  at: number;
  comments: readonly ReviewComment[];
  /** What each file looked like when it was marked, by repository and path. */
  viewed: Readonly<Record<string, string>>;
}

const PREFIX = storageKey('loopwatch.review.');
/** Reviews kept in one browser. */
const MOST_KEPT = 50;
const NONE: Kept = { at: 0, comments: [], viewed: {} };

export class Review {
  #kept = $state.raw<Kept>(NONE);
  readonly #key: string;

  /** `owner` names the task or run, unique among both. Each person has a review of their own. */
  constructor(owner: string, person: string | null) {
    this.#key = `${PREFIX}${encodeURIComponent(person ?? '')}/${owner}`;
    this.#kept = read(this.#key);
  }

  get comments(): readonly ReviewComment[] {
    return this.#kept.comments;
  }

  commentsOn(repository: string, path: string): readonly ReviewComment[] {
    return this.comments.filter((each) => each.repository === repository && each.path === path);
  }

  /** Another tab may have changed it. */
  reread(): void {
    this.#kept = read(this.#key);
  }

  add(ref: LineRef, text: string): void {
    this.#change(({ comments, ...kept }) => {
      const id = Math.max(0, ...comments.map((comment) => comment.id)) + 1;
      return { ...kept, comments: [...comments, { ...ref, id, text }] };
    });
  }

  edit(id: number, text: string): void {
    this.#change(({ comments, ...kept }) => ({
      ...kept,
      comments: comments.map((comment) => (comment.id === id ? { ...comment, text } : comment)),
    }));
  }

  remove(ids: readonly number[]): void {
    this.#change(({ comments, ...kept }) => ({
      ...kept,
      comments: comments.filter(({ id }) => !ids.includes(id)),
    }));
  }

  /** False again once the file has changed. */
  isViewed(repository: string, path: string, content: string): boolean {
    return this.#kept.viewed[fileKey(repository, path)] === fingerprint(content);
  }

  markViewed(repository: string, path: string, content: string, isViewed: boolean): void {
    const key = fileKey(repository, path);
    this.#change(({ viewed, ...kept }) => {
      const others = Object.entries(viewed).filter(([file]) => file !== key);
      if (isViewed) others.push([key, fingerprint(content)]);
      return { ...kept, viewed: Object.fromEntries(others) };
    });
  }

  /** Starts from what is stored: another tab may have changed it. */
  #change(next: (kept: Kept) => Kept): void {
    const kept = { ...next(read(this.#key)), at: Date.now() };
    this.#kept = kept;
    const isEmpty = kept.comments.length === 0 && Object.keys(kept.viewed).length === 0;
    if (isEmpty) localStorage.removeItem(this.#key);
    else localStorage.setItem(this.#key, JSON.stringify(kept));
    forgetOldest();
  }
}

/** What a mark as viewed is about: another content takes the mark away. */
export function contentOf(file: ChangedFile, lines: readonly PatchLine[] | null): string {
  if (lines === null) return `${file.status} ${file.additions} ${file.deletions}`;
  return lines.map(({ kind, text }) => `${kind} ${text}`).join('\n');
}

function read(key: string): Kept {
  try {
    const { at, comments, viewed } = JSON.parse(localStorage.getItem(key) ?? '') as Kept;
    return Array.isArray(comments) ? { at, comments, viewed: { ...viewed } } : NONE;
  } catch {
    return NONE;
  }
}

function forgetOldest(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const oldestFirst = keys
    .map((key) => ({ key, at: read(key).at }))
    .sort((a, b) => a.at - b.at)
    .slice(0, Math.max(0, keys.length - MOST_KEPT));
  for (const { key } of oldestFirst) localStorage.removeItem(key);
}

function fileKey(repository: string, path: string): string {
  return `${repository}\n${path}`;
}

/** Short and stable: FNV-1a of the content, with its length. */
function fingerprint(content: string): string {
  let hash = 0x811c9dc5;
  for (let place = 0; place < content.length; place += 1)
    hash = Math.imul(hash ^ content.charCodeAt(place), 0x01000193);
  return `${content.length}:${(hash >>> 0).toString(36)}`;
}
