/** Runs a program under strace, which kills it or makes it fail at one counted system call. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Calls that change what is on a disk, under every name machines have for them. */
export const WRITING_CALLS = [
  'pwrite64',
  'ftruncate',
  'fsync',
  'fdatasync',
  'fchmod',
  'chmod',
  'fchmodat',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'unlink',
  'unlinkat',
];

export interface StraceOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The calls that are counted; by default those that change a database. */
  traced?: readonly string[];
  /** The call, and what happens at its `when`th time (`3`) or from then on (`3+`). */
  inject?: { call: string; what: 'signal=KILL' | 'error=ENOSPC'; when: string };
}

export interface Straced {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** How often each of the calls was made. */
  calls: Map<string, number>;
}

export async function strace(words: readonly string[], options: StraceOptions): Promise<Straced> {
  const { inject, traced = WRITING_CALLS } = options;
  // A name this machine does not know is ignored.
  const trace = `trace=${traced.map((call) => `?${call}`).join(',')}`;
  const injection =
    inject === undefined ? [] : ['-e', `inject=${inject.call}:${inject.what}:when=${inject.when}`];
  const child = spawn('strace', ['-f', '-qq', '-e', trace, ...injection, ...words], {
    env: options.env,
    cwd: options.cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (data: Buffer) => (text += data.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const calls = new Map<string, number>();
  const lines = text.split('\n');
  const isCall = (line: string) => /^(?:\[pid +\d+\] )?(\w+)\(/.exec(line)?.[1];
  for (const call of lines.flatMap((line) => isCall(line) ?? [])) {
    calls.set(call, (calls.get(call) ?? 0) + 1);
  }
  const stderr = lines.filter((line) => line.startsWith('loopwatch: ')).join('\n');
  return { code, signal, stderr, calls };
}
