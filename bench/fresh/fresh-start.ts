/** From a checkout with nothing prepared to the page: `npm ci` without its cache, then `npm start`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import type { Figure } from '../report/figures.ts';

const GOAL_S = 90;

export async function freshStart(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'lwb-'));
  const tree = join(root, 'tree');
  try {
    copyTracked(tree);
    mkdirSync(join(root, 'home'), { mode: 0o700 });
    const env = {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      LOOPWATCH_HOME: join(root, 'home', 'data'),
      npm_config_cache: join(root, 'cache'),
      npm_config_registry: process.env['npm_config_registry'],
      PORT: '0',
    };
    const began = performance.now();
    execFileSync('npm', ['ci', '--no-progress'], { cwd: tree, env, stdio: 'ignore' });
    const installedS = (performance.now() - began) / 1_000;
    const child = spawn('npm', ['start'], {
      cwd: tree,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    try {
      let said = '';
      for await (const chunk of child.stdout) {
        said += String(chunk);
        const url = /listening on (\S+)/.exec(said)?.[1];
        if (url === undefined) continue;
        const page = await fetch(url);
        if (!page.ok) throw new Error(`the page answered ${page.status}`);
        break;
      }
      const shownS = (performance.now() - began) / 1_000;
      return [
        { name: 'npm ci, nothing cached', value: installedS, unit: 's' },
        {
          name: 'npm ci && npm start, until the page answers',
          value: shownS,
          unit: 's',
          goal: { direction: 'at most', value: GOAL_S },
        },
      ];
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What a clone would have. */
function copyTracked(tree: string): void {
  const options = { cwd: packageRoot(), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const files = execFileSync('git', ['ls-files', '-z'], options).split('\0').filter(Boolean);
  for (const file of files) cpSync(join(packageRoot(), file), join(tree, file));
}
