/** The client's own record of its state, `sessions/<pid>.json`, as the real client keeps it. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nowMs } from '../clock.ts';
import { writeAtomically } from './write-atomically.ts';

type Status = 'idle' | 'busy' | 'waiting';

export class StatusRecord {
  readonly #file: string;
  #identity: Record<string, unknown>;
  #status: Status = 'idle';
  #waitingFor: string | null = null;
  #on = false;

  constructor(sessionId: string, version: string, environment: NodeJS.ProcessEnv) {
    const home = environment.CLAUDE_CONFIG_DIR || path.join(os.homedir(), '.claude');
    this.#file = path.join(home, 'sessions', `${process.pid}.json`);
    this.#identity = {
      pid: process.pid,
      sessionId,
      cwd: process.cwd(),
      startedAt: nowMs(),
      procStart: processStart(),
      version,
      kind: 'interactive',
      entrypoint: 'cli',
    };
  }

  /** From now on every change is written; the present state at once. */
  turnOn(): void {
    if (this.#on) return;
    this.#on = true;
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#write();
  }

  /** Another conversation begins in the same process. */
  renew(sessionId: string): void {
    this.#identity = { ...this.#identity, sessionId };
    if (this.#on) this.#write();
  }

  /** `waitingFor` is used with `waiting` only. */
  set(status: Status, waitingFor: string | null = null): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#waitingFor = waitingFor;
    if (this.#on) this.#write();
  }

  /** For an orderly exit; a crash leaves the record behind. */
  remove(): void {
    if (this.#on) rmSync(this.#file, { force: true });
  }

  #write(): void {
    const at = nowMs();
    const record = {
      ...this.#identity,
      status: this.#status,
      ...(this.#waitingFor === null ? {} : { waitingFor: this.#waitingFor }),
      statusUpdatedAt: at,
      updatedAt: at,
    };
    writeAtomically(this.#file, JSON.stringify(record));
  }
}

/** Clock ticks since boot at which this process started; guards against a reused pid. */
function processStart(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Field 2 is the name in parentheses and may hold spaces; field 22 is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
