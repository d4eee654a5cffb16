import { spawn } from 'node:child_process';

interface ShellLimits {
  /** It is killed after this long. */
  timeoutMs: number;
  /** Kills it too. */
  signal: AbortSignal;
}

/**
 * Runs the caller's own words in a shell, with `input` as JSON. Gives the exit code, or -1. With
 * `limits` it is killed with all that it started; without, it may take any time.
 */
export async function runShell(
  command: string,
  variables: Record<string, string>,
  input: unknown,
  limits?: ShellLimits,
): Promise<number> {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, ...variables },
      // A group of its own can be killed as a whole; a Ctrl-C then reaches it only by the signal.
      detached: limits !== undefined,
    });
    const release = limits === undefined ? () => undefined : killAfter(child.pid, limits);
    const settle = (code: number | null) => {
      release();
      done(code ?? -1);
    };
    child.on('error', () => settle(-1));
    child.on('exit', settle);
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });
}

/** Kills a process group at its limit; gives what takes the limit away. */
function killAfter(pid: number | undefined, { timeoutMs, signal }: ShellLimits): () => void {
  const kill = () => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // Already ended.
    }
  };
  const timer = setTimeout(kill, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  };
}
