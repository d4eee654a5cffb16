/** What clients record of themselves, with the moment each change was there: the time that is theirs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_EVERY_MS = 20;

interface ClientRecord {
  pid: number;
  status?: string;
  jobId?: string;
}

interface Recorded {
  atMs: number;
  /** Null before it names one. */
  status: string | null;
}

export class RecordLog {
  readonly #directory: string;
  readonly #ended: AbortSignal;
  readonly #recorded = new Map<number, Recorded[]>();
  readonly #jobs = new Map<string, number>();

  /** `config`: of the clients. */
  constructor(config: string, ended: AbortSignal) {
    this.#directory = join(config, 'sessions');
    this.#ended = ended;
  }

  async follow(): Promise<void> {
    while (!this.#ended.aborted) {
      this.#read();
      await pause(POLL_EVERY_MS);
    }
  }

  /** Of that process, oldest first. */
  of(pid: number): readonly Recorded[] {
    return this.#recorded.get(pid) ?? [];
  }

  /** What it says now; null before it names a status. */
  statusOf(pid: number): string | null {
    return this.of(pid).at(-1)?.status ?? null;
  }

  /** Of a session in the background. */
  pidOf(job: string): number | null {
    return this.#jobs.get(job) ?? null;
  }

  #read(): void {
    const names = existsSync(this.#directory) ? readdirSync(this.#directory) : [];
    for (const name of names) {
      if (!name.endsWith('.json')) continue;
      const record = readRecord(join(this.#directory, name));
      if (record === null) continue;
      if (record.jobId !== undefined) this.#jobs.set(record.jobId, record.pid);
      const all = this.#recorded.get(record.pid) ?? [];
      const status = record.status ?? null;
      if (all.length === 0 || all.at(-1)?.status !== status) {
        all.push({ atMs: performance.now(), status });
      }
      this.#recorded.set(record.pid, all);
    }
  }
}

/** Null for one that has ended, or is half written. */
function readRecord(path: string): ClientRecord | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClientRecord;
  } catch {
    return null;
  }
}
