/** The compiled relay as a client runs it: a separate process with the payload on its input. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { World } from '../daemon/world.ts';

const RELAY = join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js');

export interface RelayRun {
  child: ChildProcess;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Writes the file that a run's hooks read; returns its path. */
export function writeRunFile(world: World, capability?: string): string {
  const directory = join(world.root, 'run-file');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'hook.json');
  const content = {
    daemon: join(world.home, 'daemon.json'),
    capability:
      capability ?? openHookCapabilities(world.home).issue({ session: 'web', runId: 'r1' }),
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Runs the relay on a payload; it is ended with the world's other processes. */
export function runRelay(world: World, runFile: string, payload: unknown): RelayRun {
  const child = spawn(process.execPath, [RELAY, runFile], { cwd: world.root });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    ...output,
  }));
  return { child, ended };
}
