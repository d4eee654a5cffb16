/** A client that a person runs without Loopwatch: a real process, and the record it keeps of itself. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { writeFileAtomic } from '../../../server/lib/files/atomic-file.ts';
import { until } from '../house/until.ts';

/** It ends with the process of the test; its parent is not the daemon. */
const PROGRAM = `tail -s 1 --pid=${process.pid} -f /dev/null >/dev/null 2>&1 & echo $!`;

export class FoundClient {
  readonly pid: number;
  readonly startedAt: string;
  readonly #config: string;
  #fields: Record<string, unknown>;

  /** `config`: its configuration directory. */
  static async start(
    config: string,
    fields: Record<string, unknown> = {},
    environment: NodeJS.ProcessEnv = {},
  ): Promise<FoundClient> {
    const PATH = process.env['PATH'];
    const run = { env: { PATH, ...environment }, timeoutMs: 60_000 };
    const { stdout } = await execFile('/bin/sh', ['-c', PROGRAM], run);
    return new FoundClient(Number(stdout), config, fields);
  }

  /** Of a process that runs already. */
  static of(pid: number, config: string, fields: Record<string, unknown>): FoundClient {
    return new FoundClient(pid, config, fields);
  }

  private constructor(pid: number, config: string, fields: Record<string, unknown>) {
    this.#config = config;
    this.pid = pid;
    this.startedAt = readProcess(pid)?.startedAt ?? '';
    this.#fields = {
      pid,
      sessionId: `conversation-${pid}`,
      cwd: config,
      startedAt: Date.now(),
      procStart: this.startedAt,
      version: '2.1.330',
      kind: 'interactive',
      entrypoint: 'cli',
      status: 'idle',
      ...fields,
    };
    this.write();
  }

  get id(): string {
    return `${this.pid}-${this.startedAt}`;
  }

  get path(): string {
    return join(this.#config, 'sessions', `${this.pid}.json`);
  }

  /** Writes its record, changed by `fields`, in one step as the client does. */
  write(fields: Record<string, unknown> = {}): void {
    this.#fields = { ...this.#fields, updatedAt: Date.now(), ...fields };
    this.writeRaw(JSON.stringify(this.#fields));
  }

  writeRaw(text: string): void {
    const directory = join(this.#config, 'sessions');
    mkdirSync(directory, { recursive: true });
    writeFileAtomic(directory, `${this.pid}.json`, text);
  }

  get transcript(): string {
    const file = `${String(this.#fields['sessionId'])}.jsonl`;
    return join(this.#config, 'projects', 'somewhere', file);
  }

  /** Appends lines to its transcript. */
  say(...lines: object[]): void {
    mkdirSync(dirname(this.transcript), { recursive: true });
    writeFileSync(this.transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      flag: 'a',
    });
  }

  /** An orderly end: first the record, then the process. */
  async leave(): Promise<void> {
    rmSync(this.path, { force: true });
    await this.kill();
  }

  get isRunning(): boolean {
    return readProcess(this.pid)?.startedAt === this.startedAt;
  }

  /** The record stays behind. */
  async kill(): Promise<void> {
    if (this.isRunning) process.kill(this.pid, 'SIGKILL');
    await until('its end', () => !this.isRunning);
  }
}
