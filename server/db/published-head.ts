/**
 * The newest seq that may have been published, in a file next to the database. Written after a
 * commit and before its publication, without waiting for the disk: kill -9 loses nothing of it, and
 * after a power cut it is at most behind, since the database waits for the disk. So a database that
 * ends before it has lost commits: its write-ahead log was removed, or it was replaced by an older
 * copy.
 */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../lib/log.ts';
import type { Database } from './database.ts';

const PUBLISHED_HEAD_FILE = 'told-head.json';
/** One length for every content, so that each write replaces the previous one completely. */
const CONTENT_BYTES = 80;

const Content = z.object({ epoch: z.string(), head: z.int().min(0) });

/**
 * Events that were published and are no longer in the database: those after `after`, up to `up_to`.
 */
export interface LostEvents {
  after: number;
  up_to: number;
}

export class PublishedHead {
  readonly #logger: Log;
  readonly #file: number | null;
  #isFailing = false;

  constructor(home: string, logger: Log) {
    this.#logger = logger;
    this.#file = this.#open(join(home, PUBLISHED_HEAD_FILE));
  }

  /**
   * What was published in this epoch beyond the newest event of its database; null when nothing
   * was.
   */
  lost(epoch: string, { raw }: Pick<Database, 'raw'>): LostEvents | null {
    const published = this.#read();
    if (published === null || published.epoch !== epoch) return null;
    const lastUsed = raw.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
    const newest = Number(lastUsed.get() ?? 0);
    return published.head > newest ? { after: newest, up_to: published.head } : null;
  }

  /** Never throws: a commit is published even if this cannot be written. */
  write(epoch: string, head: number): void {
    if (this.#file === null) return;
    try {
      writeSync(this.#file, `${JSON.stringify({ epoch, head }).padEnd(CONTENT_BYTES - 1)}\n`, 0);
      this.#isFailing = false;
    } catch (error) {
      this.#warn(error);
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #open(path: string): number | null {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    try {
      return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    } catch (error) {
      this.#warn(error);
      return null;
    }
  }

  /** Null for a file that is new, truncated or not ours: it proves no loss. */
  #read(): z.infer<typeof Content> | null {
    if (this.#file === null) return null;
    const content = Buffer.alloc(CONTENT_BYTES);
    try {
      const length = readSync(this.#file, content, 0, CONTENT_BYTES, 0);
      return Content.parse(JSON.parse(content.toString('utf8', 0, length)));
    } catch {
      return null;
    }
  }

  #warn(error: unknown): void {
    if (!this.#isFailing) {
      const text = `${PUBLISHED_HEAD_FILE} cannot be written; lost events in the database will not be detected`;
      this.#logger.warn({ err: error }, text);
    }
    this.#isFailing = true;
  }
}
