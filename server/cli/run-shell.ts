import { spawn } from 'node:child_process';

interface ShellLimits {
  /** It is killed after this long, with what it started; without, it may take any time. */
  timeoutMs?: number;
  /** Kills it too. */
  signal?: AbortSignal;
}

/** Runs the caller's own words in a shell, with `input` as JSON. Gives the exit code, or -1. */
export async function runShell(
  command: string,
  variables: Record<string, string>,
  input: unknown,
  { timeoutMs, signal }: ShellLimits = {},
): Promise<number> {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, ...variables },
      // A group of its own can be killed as a whole; a Ctrl-C then reaches it only by `signal`.
      detached: timeoutMs !== undefined,
    });
    const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
    signal?.addEventListener('abort', kill, { once: true });
    const settle = (code: number | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      done(code ?? -1);
    };
    child.on('error', () => settle(-1));
    child.on('exit', settle);
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });
}
