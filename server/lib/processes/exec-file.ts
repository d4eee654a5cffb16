/** Runs a program with an argument list, never through a shell. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { systemCode } from '../app-error.ts';

export interface ExecOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed. */
  input?: string;
  /** How both are decoded, `utf8` by default; in `latin1` each character is one byte. */
  encoding?: 'utf8' | 'latin1';
  timeoutMs: number;
  /** A program that prints more is killed. Default 4 MiB. */
  maxOutputBytes?: number;
  /** For a program that starts others, which are killed with it. */
  ownGroup?: boolean;
}

export type ExecResult =
  | { ok: true; stdout: string }
  /** `timedOut`: the program was killed; whether it did its work is unknown. */
  | {
      ok: false;
      timedOut: boolean;
      code: string | number | null;
      /** Its output until then. */
      stdout: string;
      stderr: string;
    };

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** A process that could not be started because files ran out has none. */
interface Pipes {
  stdin?: Writable;
  stdout?: Readable;
  stderr?: Readable;
}

/** Node's code for it. */
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/** Never throws. */
export async function execFile(
  program: string,
  args: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  const { cwd, env, timeoutMs, encoding = 'utf8', ownGroup: detached = false } = options;
  const { input = '', maxOutputBytes = MAX_OUTPUT_BYTES } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: 'pipe', detached });
    const pipes: Pipes = child;
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const room = { stdout: maxOutputBytes, stderr: maxOutputBytes };
    let killed: { timedOut: boolean; code: string | null } | null = null;
    const kill = (timedOut: boolean, code: string | null) => {
      killed ??= { timedOut, code };
      killAll(child, detached);
      // Its child processes may hold them open.
      pipes.stdout?.destroy();
      pipes.stderr?.destroy();
    };
    const timer = setTimeout(() => kill(true, null), timeoutMs);
    for (const name of ['stdout', 'stderr'] as const) {
      pipes[name]?.on('data', (chunk: Buffer) => {
        output[name].push(chunk.subarray(0, room[name]));
        room[name] -= chunk.length;
        if (room[name] < 0) {
          room[name] = 0;
          kill(false, TOO_MUCH);
        }
      });
    }
    const settle = (code: string | number | null) => {
      clearTimeout(timer);
      const stdout = Buffer.concat(output.stdout).toString(encoding);
      const stderr = Buffer.concat(output.stderr).toString(encoding);
      if (killed === null && code === 0) resolve({ ok: true, stdout });
      else resolve({ ok: false, ...(killed ?? { timedOut: false, code }), stdout, stderr });
    };
    child.on('error', (error) => settle(systemCode(error) ?? null));
    child.on('close', settle);
    // A child that ends before it read everything closes the pipe; its exit code is the result.
    pipes.stdin?.on('error', () => undefined);
    pipes.stdin?.end(input, encoding);
  });
}

function killAll(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // Already ended.
  }
}
