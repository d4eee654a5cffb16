/** The status records of clients, found by process; read again only when they changed. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { ProcessIdentity, ProcessState } from '../../lib/processes/process-identity.ts';
import { ProcessMemo } from '../../lib/processes/process-memo.ts';
import { configDirectory } from './config-directories.ts';
import { type RecordReading, readStatusRecord } from './status-record.ts';
import { TranscriptTail } from './transcript-tail.ts';

interface SeenRecord {
  /** Of the file: when it was written, and which one it is. */
  stamp: string;
  record: RecordReading | null;
}

/** Names of agents that are recognized without a record. */
const AGENT_NAMES: readonly string[] = ['claude', 'codex', 'gemini'];
/** The kernel keeps this many characters of a program's name. */
const KERNEL_NAME = 15;

export class AgentRecords {
  readonly #directory: string;
  readonly #program: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #seen = new ProcessMemo<SeenRecord>();
  #hint: ((pid: number) => void) | null = null;
  #watcher: FSWatcher | null = null;

  /** `environment` is that of the terminals; `program` the agent of the settings. */
  constructor(options: { program: string; environment: NodeJS.ProcessEnv }) {
    const { program, environment } = options;
    this.#environment = environment;
    this.#program = basename(program).slice(0, KERNEL_NAME);
    this.#directory = join(configDirectory(environment), 'sessions');
  }

  /** Is this foreground program an agent? */
  isAgent(program: ProcessState): boolean {
    return (
      program.name === this.#program ||
      AGENT_NAMES.includes(program.name) ||
      this.read(program) !== null
    );
  }

  /** Processes whose record is held. */
  get held(): number {
    return this.#seen.size;
  }

  /** The process's own record, or null when it keeps none. */
  read(process: ProcessIdentity): RecordReading | null {
    const stamp = this.#stampOf(process.pid);
    if (stamp === null) return null;
    const seen = this.#seen.get(process);
    if (seen?.stamp === stamp) return seen.record;
    const record = readStatusRecord(process, this.#environment);
    this.#seen.set(process, { stamp, record });
    return record;
  }

  /** A reader of the transcripts that these clients write. */
  openTranscript(): TranscriptTail {
    return new TranscriptTail(this.#environment);
  }

  /**
   * Calls `hint` with the pid of a client soon after its record changed. Returns the function that
   * stops it. Only a hint: polling is authoritative.
   */
  watch(hint: (pid: number) => void): () => void {
    this.#hint = hint;
    this.#openWatcher();
    return () => {
      this.#hint = null;
      this.#closeWatcher();
    };
  }

  /** While no client has run here there is nothing to watch: the first record found opens it. */
  #openWatcher(): void {
    if (this.#hint === null || this.#watcher !== null) return;
    try {
      const watcher = watch(this.#directory, { persistent: false }, (_, file) => {
        const pid = Number.parseInt(file ?? '', 10);
        if (Number.isInteger(pid)) this.#hint?.(pid);
      });
      watcher.on('error', () => this.#closeWatcher());
      this.#watcher = watcher;
    } catch {
      // Polling is authoritative.
    }
  }

  #closeWatcher(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  #stampOf(pid: number): string | null {
    try {
      const stat = statSync(join(this.#directory, `${pid}.json`), { throwIfNoEntry: false });
      if (stat !== undefined) {
        this.#openWatcher();
        return `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
      }
    } catch {
      // As if it were absent.
    }
    this.#seen.delete(pid);
    return null;
  }
}
