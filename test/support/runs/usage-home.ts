/** A ledger on a real database, and a client's transcripts that it reads. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelUsage } from '../../../server/agents/headless/stream-result.ts';
import type { Work } from '../../../server/usage/usage-entry.ts';
import { UsageLedger } from '../../../server/usage/usage-ledger.ts';
import { UsageReports } from '../../../server/usage/usage-report.ts';
import { EventHome } from '../events/event-home.ts';
import { TEST_ROOT } from '../house/test-root.ts';

export const CHUNK_BYTES = 4096;

export interface WrittenMessage {
  id: string;
  output: number;
  input?: number;
  model?: string;
  /** Milliseconds since 1970; the clock's time when omitted. */
  atMs?: number;
  entrypoint?: string;
}

export class UsageHome {
  readonly home = new EventHome();
  readonly clock = this.home.clock;
  readonly config = mkdtempSync(join(TEST_ROOT, 'u'));
  /** What could not be entered. */
  warnings = 0;
  ledger!: UsageLedger;
  reports!: UsageReports;
  database!: ReturnType<EventHome['open']>['database'];

  constructor() {
    this.open();
  }

  open(): void {
    const { database } = this.home.open();
    this.database = database;
    const environment = { CLAUDE_CONFIG_DIR: this.config };
    const logger = { warn: () => (this.warnings += 1) };
    const { clock } = this;
    this.ledger = new UsageLedger({
      database,
      clock,
      logger,
      environment,
      chunkBytes: CHUNK_BYTES,
    });
    this.reports = new UsageReports(database);
  }

  /** As a daemon that restarts, wherever it was. */
  async restart({ isRestored = false } = {}): Promise<void> {
    await this.ledger.dispose();
    this.open();
    this.ledger.recover({ isRestored, hasSession: () => true });
  }

  /** All that was requested so far is read. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round += 1) await this.ledger.read('nothing');
  }

  path(conversation: string): string {
    return join(this.config, 'projects', '-srv-web', `${conversation}.jsonl`);
  }

  subagentPath(conversation: string, agent: string): string {
    return join(this.path(conversation).replace('.jsonl', ''), 'subagents', `agent-${agent}.jsonl`);
  }

  append(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, text);
  }

  say(path: string, message: WrittenMessage): void {
    this.append(path, `${this.line(message)}\n`);
  }

  line(message: WrittenMessage): string {
    const { id, output, input = 0, model = 'claude-opus-5-5', entrypoint = 'cli' } = message;
    return JSON.stringify({
      type: 'assistant',
      timestamp: new Date(message.atMs ?? this.clock.now()).toISOString(),
      requestId: `req_${id}`,
      entrypoint,
      message: {
        id: `msg_${id}`,
        model,
        usage: {
          input_tokens: input,
          output_tokens: output,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 2 * input,
        },
      },
    });
  }

  /** The complete lines of a transcript, as another file of the client would repeat them. */
  linesOf(path: string): string {
    const text = readFileSync(path, 'utf8');
    return text.slice(0, text.lastIndexOf('\n') + 1);
  }

  /** The same content in another file of the same name. */
  replace(path: string): void {
    copyFileSync(path, `${path}.new`);
    renameSync(`${path}.new`, path);
  }

  tokens() {
    const { totals } = this.reports.report({ by: 'day' }, this.clock.now());
    return totals.tokens;
  }

  rows(by: 'day' | 'subject' | 'model' | 'person' | 'project') {
    return this.reports.report({ by }, this.clock.now()).rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ledger.dispose();
    this.home[Symbol.dispose]();
    rmSync(this.config, { recursive: true });
  }
}

export function workOf(id: string, kind: 'session' | 'task' | 'loop' = 'session'): Work {
  return { subject: { kind, id }, project: '/srv/web', person: 'Ada' };
}

export function spent(output: number, costUsd: number | null = null): ModelUsage {
  const usage = {
    inputTokens: 0,
    outputTokens: output,
    cacheCreationTokens: 0,
    cacheReadTokens: 0,
  };
  return { model: 'claude-opus-5-5', usage, costUsd };
}
