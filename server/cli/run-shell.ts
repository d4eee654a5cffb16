import { spawn } from 'node:child_process';

/** Runs the caller's own words in a shell, with `input` as JSON. Gives the exit code, or -1. */
export async function runShell(
  command: string,
  variables: Record<string, string>,
  input: unknown,
): Promise<number> {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, ...variables },
    });
    child.on('error', () => done(-1));
    child.on('close', (code) => done(code ?? -1));
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });
}
