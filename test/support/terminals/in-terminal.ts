import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { World } from '../daemon/world.ts';

const PROGRAM = join(packageRoot(), 'dist/server/main.js');

/** The command line in a real terminal, as a person uses it. */
export function inTerminal(
  world: World,
  words: string[],
): { pty: IPty; shown: () => string; ended: Promise<number> } {
  const pty = spawn(process.execPath, [PROGRAM, ...words], {
    cols: 100,
    rows: 30,
    cwd: world.root,
    env: world.environment,
  });
  let shown = '';
  pty.onData((data) => (shown += data));
  const ended = new Promise<number>((done) => pty.onExit(({ exitCode }) => done(exitCode)));
  return { pty, shown: () => shown, ended };
}
