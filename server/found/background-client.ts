/**
 * What the installed client says and does about its background sessions. Each call starts the
 * client once; none is made unless a person asks.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withUserUmask } from '../lib/files/user-umask.ts';
import type { FoundScreen } from '../../shared/schema/agents/found.ts';
import {
  type ClientVersion,
  compareVersions,
  formatVersion,
  parseClientVersion,
} from '../agents/client-version.ts';
import { configDirectory } from '../agents/records/config-directories.ts';
import { AppError } from '../lib/app-error.ts';
import { execFile, type ExecResult } from '../lib/processes/exec-file.ts';
import { findProgram, type ProgramVersions } from '../lib/processes/program-versions.ts';
import { type BackgroundJob, parseBackgroundList } from './background-list.ts';

/** The first version seen to have `agents --json --all`, `logs`, `attach` and `stop`. */
const SINCE: Readonly<ClientVersion> = { major: 2, minor: 1, patch: 197 };
/** A native client answers within 0.5 s. */
const TIMEOUT_MS = 10_000;
/** The client waits for the end of the session. */
const STOP_MS = 30_000;
const SIZE_MS = 2_000;
/** Of a background session that no terminal was attached to. */
const FIRST_SIZE = { cols: 200, rows: 50 };
const MAX_MESSAGE = 300;

export interface BackgroundClientOptions {
  /** According to the settings. */
  program: string;
  versions: ProgramVersions;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

export class BackgroundClient {
  readonly #options: BackgroundClientOptions;

  constructor(options: BackgroundClientOptions) {
    this.#options = options;
  }

  /** Why the installed client has no background sessions; null: it has. An older one would take the words for a prompt. */
  async unavailable(): Promise<string | null> {
    const { versions, program } = this.#options;
    const answer = await versions.of(program);
    const version = parseClientVersion(answer ?? '');
    if (version === null)
      return `the version of the installed client "${program}" is unknown; background sessions need ${formatVersion(SINCE)} or newer`;
    if (compareVersions(version, SINCE) >= 0) return null;
    return `the installed client ${formatVersion(version)} has no background sessions; they need ${formatVersion(SINCE)} or newer`;
  }

  /** Ends a background session; its conversation is kept. Throws `not_continuable`. */
  async stop(job: string): Promise<void> {
    const result = await this.#run(['stop', job], STOP_MS);
    if (!result.ok) throw new AppError('not_continuable', `claude stop failed: ${saidBy(result)}`);
  }

  /** Running and ended ones. Throws `not_continuable` with the reason. */
  async list(): Promise<BackgroundJob[]> {
    // The client creates it with the first one.
    const jobs = join(configDirectory(this.#options.environment), 'jobs');
    if (!existsSync(jobs)) return [];
    const result = await this.#run(['agents', '--json', '--all']);
    const listed = result.ok ? parseBackgroundList(result.stdout) : null;
    if (listed !== null) return listed;
    throw new AppError(
      'not_continuable',
      result.ok ? 'claude agents printed no list' : saidBy(result),
    );
  }

  /** What a running one has drawn last, `tty` such as `pts/3`. Throws `screen_unavailable`. */
  async screen(job: string, tty: string | null): Promise<Omit<FoundScreen, 'at'>> {
    const result = await this.#run(['logs', job]);
    if (!result.ok)
      throw new AppError('screen_unavailable', `its screen cannot be shown: ${saidBy(result)}`);
    const size = await sizeOf(tty);
    // Loaded with the first screen: an emulator is large, and terminals in tmux need none.
    const { drawOutput } = await import('../terminals/emulated-screen.ts');
    return { ...size, ...(await drawOutput(Buffer.from(result.stdout), size)) };
  }

  async #run(words: readonly string[], timeoutMs = TIMEOUT_MS): Promise<ExecResult> {
    const why = await this.unavailable();
    if (why !== null) return { ok: false, timedOut: false, code: null, stdout: '', stderr: why };
    const { program, environment } = this.#options;
    const file = findProgram(program, environment['PATH'] ?? '') ?? program;
    return withUserUmask(async () => execFile(file, words, { env: environment, timeoutMs }));
  }
}

/** Only read: nothing of the terminal changes. */
async function sizeOf(tty: string | null): Promise<{ cols: number; rows: number }> {
  if (tty === null) return FIRST_SIZE;
  const result = await execFile('stty', ['-F', `/dev/${tty}`, 'size'], { timeoutMs: SIZE_MS });
  const [, rows, cols] = /^(\d{1,3}) (\d{1,3})\n$/.exec(result.ok ? result.stdout : '') ?? [];
  const size = { cols: Number(cols), rows: Number(rows) };
  return size.cols > 0 && size.rows > 0 ? size : FIRST_SIZE;
}

function saidBy(result: Extract<ExecResult, { ok: false }>): string {
  if (result.timedOut) return 'the client does not answer';
  const text = result.stderr.trim() || result.stdout.trim();
  return text.slice(0, MAX_MESSAGE) || `it ended with ${String(result.code)}`;
}
