import { once } from 'node:events';
import { join } from 'node:path';
import type { World } from '../daemon/world.ts';

/** How the shell starts a command: its output a pipe without a reader, or closed from the start. */
const REDIRECTIONS = {
  stdout: '>&4 4>&-',
  stderr: '2>&4 4>&-',
  closed: '4>&- >&-',
} as const;

/** Opens the pipe both ways, so that nothing waits for a reader, and closes the reading end. */
const WITHOUT_READER = 'exec 3<>"$0" 4>"$0" 3>&-';

export type BrokenOutput = keyof typeof REDIRECTIONS;

/** Arguments that run the command after them with an output nothing reads. */
export function brokenOutput(world: World, output: BrokenOutput): string[] {
  const file = join(world.root, `${output}-${Math.random()}`);
  const script = `mkfifo "$0" && ${WITHOUT_READER} && exec "$@" ${REDIRECTIONS[output]}`;
  return ['/bin/sh', '-c', script, file];
}

/** Runs the command line to its end; returns its code and what is left to read of it. */
export async function runBroken(
  world: World,
  words: readonly string[],
  output: BrokenOutput,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = world.run(words, {}, brokenOutput(world, output));
  const read = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => (read.stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (read.stderr += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...read };
}
