/** The files of one task directory that the stand-in reads and writes; every write is atomic. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  SIGNAL_FILE,
  SIGNAL_TEMPORARY_FILE,
  STOP_FILE,
  type AutoSignal,
} from '../../shared/schema/loops/auto-signal.ts';
import type { Progress } from '../progress.ts';
import type { TaskIndex } from './task-index.ts';
import { writeAtomically } from './write-atomically.ts';

const INDEX_FILE = '.index.json';
const PROGRESS_FILE = '.stand-in.json';

export class TaskFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Null without a stop file; an unreadable one still stops, with unknown reason. */
  stopReason(): string | null {
    if (!existsSync(this.#path(STOP_FILE))) return null;
    const content = this.#readJson(STOP_FILE);
    const reason = (content as { reason?: unknown } | null)?.reason;
    return typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason) ? reason : 'unknown reason';
  }

  writeSignal(signal: AutoSignal): void {
    this.writeRawSignal(`${JSON.stringify(signal)}\n`);
  }

  writeRawSignal(text: string): void {
    writeAtomically(this.#path(SIGNAL_FILE), text, this.#path(SIGNAL_TEMPORARY_FILE));
  }

  removeSignal(): void {
    rmSync(this.#path(SIGNAL_FILE), { force: true });
  }

  /** Unchecked content: a person or an older version may have written it. */
  readIndex(): unknown {
    return this.#readJson(INDEX_FILE);
  }

  writeIndex(index: TaskIndex): void {
    writeAtomically(this.#path(INDEX_FILE), `${JSON.stringify(index, null, 2)}\n`);
  }

  readProgress(): unknown {
    return this.#readJson(PROGRESS_FILE);
  }

  writeProgress(progress: Progress): void {
    writeAtomically(this.#path(PROGRESS_FILE), `${JSON.stringify(progress)}\n`);
  }

  #readJson(name: string): unknown {
    try {
      return JSON.parse(readFileSync(this.#path(name), 'utf8'));
    } catch {
      return null;
    }
  }

  #path(name: string): string {
    return path.join(this.#directory, name);
  }
}
