/** Runs a program with an argument list, never through a shell. */
import { execFile as execFileCallback } from 'node:child_process';

export interface ExecOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed. */
  input?: string;
  timeoutMs: number;
}

export type ExecResult =
  | { ok: true; stdout: string }
  /** `timedOut`: the program was killed; whether its work was done is not known. */
  | { ok: false; timedOut: boolean; code: string | number | null; stderr: string };

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
        maxBuffer: MAX_OUTPUT_BYTES,
        encoding: 'utf8',
      },
      (error, stdout, stderr) => {
        if (error === null) resolve({ ok: true, stdout });
        else {
          resolve({ ok: false, timedOut: error.killed === true, code: error.code ?? null, stderr });
        }
      },
    );
    // A child that ends before it read everything closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}
