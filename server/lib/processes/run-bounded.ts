/**
 * One bounded command: limited in time, in output, and in what it leaves behind. It has its own
 * process group, which is killed as a whole.
 */
import { spawn } from 'node:child_process';
import { withUserUmask } from '../files/user-umask.ts';
import { messageOf, systemCode } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { killMarked, type Marker } from './marked-processes.ts';

export interface RunOptions {
  directory: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
  /** The end of its output is kept, standard output and errors in order of arrival. */
  maxOutputBytes: number;
  /** Written to its standard input, which is closed in any case. */
  input?: string;
  /** Added to its environment; every process that carries it is killed too, wherever it moved. */
  marker?: Marker;
  /** Processes it leaves behind: killed when it ends, or given the whole time. */
  leftovers?: 'killed' | 'waited_for';
}

export interface BoundedRun {
  end: 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'not_started';
  exit_code: number | null;
  /** The signal that ended it, or the system's error when it cannot be started. */
  cause: string | null;
  output: string;
  duration_ms: number;
}

/** After the end of a command, for its last output to arrive. */
const DRAIN_MS = 1_000;

type End = Pick<BoundedRun, 'end' | 'exit_code' | 'cause'>;

/** `command` is a program with its arguments, or a line for `/bin/sh`. Never throws. */
export async function runBounded(
  command: readonly string[] | string,
  options: RunOptions,
): Promise<BoundedRun> {
  const { clock } = options;
  const began = clock.monotonic();
  const tail = new OutputTail(options.maxOutputBytes);
  const end = await runTo(tail, command, options).catch((error: unknown) => notStarted(error));
  const duration_ms = Math.round(clock.monotonic() - began);
  return { ...end, output: tail.text(), duration_ms };
}

/** Why there is no exit code, for a person; '' where there is one, and after an abort. */
export function endText({ end, cause }: BoundedRun, timeoutMs: number): string {
  if (end === 'signalled') return `ended by ${cause ?? 'a signal'}`;
  if (end === 'timed_out') return `killed after ${timeoutMs / 1000} s`;
  return end === 'not_started' ? `cannot be started (${cause ?? 'unknown cause'})` : '';
}

async function runTo(
  tail: OutputTail,
  command: readonly string[] | string,
  { directory, environment, clock, timeoutMs, signal, input, marker, leftovers }: RunOptions,
): Promise<End> {
  if (signal.aborted) return { end: 'aborted', exit_code: null, cause: null };
  const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    const env = {
      ...environment,
      ...(marker === undefined ? {} : { [marker.name]: marker.value }),
    };
    const child = withUserUmask(() =>
      // Its own group, so that its children end with it.
      spawn(program, rest, {
        cwd: directory,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      }),
    );
    // First, because without a listener it would end the daemon.
    child.on('error', (error) => settle(notStarted(error)));
    let ended: End | null = null;
    const release = () => {
      // Processes that left the group can still hold the pipes.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    };
    const killAll = () => {
      killGroup(child.pid);
      if (marker !== undefined) killMarked(marker);
    };
    const kill = (how: 'timed_out' | 'aborted') => {
      ended ??= { end: how, exit_code: null, cause: null };
      killAll();
      // What it wrote before the kill may still be in the pipes.
      timer.cancel();
      timer = clock.after(DRAIN_MS, release);
    };
    const abort = () => kill('aborted');
    let timer = clock.after(timeoutMs, () => kill('timed_out'));
    signal.addEventListener('abort', abort, { once: true });
    const settle = (end: End) => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      resolve(end);
    };
    child.stdout.on('data', (chunk: Buffer) => tail.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => tail.add(chunk));
    // A command that does not read its input closes the pipe; its exit code is the result.
    child.stdin.on('error', () => undefined);
    child.on('exit', (code, by) => {
      ended ??= endOf(code, by);
      if (leftovers === 'waited_for') return;
      killAll();
      timer.cancel();
      timer = clock.after(DRAIN_MS, release);
    });
    child.on('close', () => settle(ended ?? { end: 'signalled', exit_code: null, cause: null }));
    child.stdin.end(input ?? '');
  });
}

function endOf(code: number | null, by: NodeJS.Signals | null): End {
  if (code !== null) return { end: 'exited', exit_code: code, cause: null };
  return { end: 'signalled', exit_code: null, cause: by };
}

function notStarted(error: unknown): End {
  return { end: 'not_started', exit_code: null, cause: systemCode(error) ?? messageOf(error) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

/** The end of a program's output, in bounded memory. */
class OutputTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // Joined rarely: each byte is copied once or twice, however much arrives.
    if (this.#size > 2 * this.#maxBytes + 65_536) this.#chunks = [this.#joined()];
  }

  /** The last bytes as UTF-8; a character cut at the beginning is left out. */
  text(): string {
    const bytes = this.#joined();
    let start = 0;
    if (this.#size > bytes.length) while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.subarray(start).toString('utf8');
  }

  #joined(): Buffer {
    return Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
  }
}
