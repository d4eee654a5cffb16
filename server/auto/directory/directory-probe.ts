/**
 * Whether a loop's task directory is still the one it was started on. A synchronous check on a file
 * system that does not answer would block the whole daemon: everything that reads or writes in the
 * directory asks here first.
 */
import { BoundedQuestion } from '../../lib/within.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TaskDirectory } from './control-files.ts';
import type { TaskDirStatus } from '../machine/loop-input.ts';

/** Device and inode of the directory, null when there is none. */
export type ReadDirectory = (path: string) => Promise<string | null>;

/** A disk that spins up takes seconds. */
const ANSWER_MS = 3_000;
/** A younger question may have been asked only a moment ago; it proves nothing. */
const HANGS_MS = 250;

export class DirectoryProbe {
  readonly #directory: TaskDirectory;
  readonly #identity: BoundedQuestion<string | null>;

  constructor(directory: TaskDirectory, options: { readDirectory: ReadDirectory; clock: Clock }) {
    const { readDirectory, clock } = options;
    this.#directory = directory;
    const read = async () => readDirectory(directory.taskDir);
    this.#identity = new BoundedQuestion(clock, ANSWER_MS, read);
  }

  /** False while a question is unanswered: nothing may be read or written there. */
  get answers(): boolean {
    return this.#identity.openMs < HANGS_MS;
  }

  /** Never rejects. */
  async status(): Promise<TaskDirStatus> {
    const { dirIdentity } = this.#directory;
    const found = await this.#identity.ask();
    if (found === null) return 'unknown';
    if (found.answer === null) return 'gone';
    return dirIdentity === null || found.answer === dirIdentity ? 'same' : 'replaced';
  }
}
