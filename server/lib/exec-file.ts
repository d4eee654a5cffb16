/** Runs a program with an argument list, never through a shell. */
import { execFile as execFileCallback } from 'node:child_process';

export interface ExecOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed. */
  input?: string;
  /** How both are read as text, `utf8` unless told; in `latin1` each character is one byte. */
  encoding?: 'utf8' | 'latin1';
  timeoutMs: number;
  /** A program that says more is killed; 4 MiB unless told. */
  maxOutputBytes?: number;
}

export type ExecResult =
  | { ok: true; stdout: string }
  /** `timedOut`: the program was killed; whether its work was done is not known. */
  | {
      ok: false;
      timedOut: boolean;
      code: string | number | null;
      /** What it had said until then. */
      stdout: string;
      stderr: string;
    };

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Takes a program and its arguments; gives its output or how it failed. Never throws. */
export async function execFile(
  program: string,
  args: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  return new Promise((resolve) => {
    const child = execFileCallback(
      program,
      args,
      {
        cwd: options.cwd,
        env: options.env,
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        encoding: options.encoding ?? 'utf8',
      },
      (error, stdout, stderr) => {
        if (error === null) resolve({ ok: true, stdout });
        else {
          const timedOut = error.killed === true;
          resolve({ ok: false, timedOut, code: error.code ?? null, stdout, stderr });
        }
      },
    );
    // A child that ends before it read everything closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '', options.encoding ?? 'utf8');
  });
}
