/** Test files that this machine cannot run, because a program they drive is not installed. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a file that imports or names this needs on the PATH; `probe` must be allowed here as well. */
const NEEDS: { mark: string; program: string; probe?: string[] }[] = [
  { mark: 'support/world.ts', program: 'tmux' },
  { mark: 'createTmuxHost', program: 'tmux' },
  { mark: "spawn('script'", program: 'script' },
  { mark: 'playwright-core', program: 'chromium' },
  { mark: 'support/browser.ts', program: 'chromium' },
  { mark: 'strace.ts', program: 'strace', probe: ['-o', '/dev/null', 'true'] },
  { mark: 'support/kill-scene.ts', program: 'strace', probe: ['-o', '/dev/null', 'true'] },
  { mark: 'support/small-disk.ts', program: 'unshare', probe: ['-m', 'true'] },
  { mark: 'support/read-only-directory.ts', program: 'unshare', probe: ['-m', 'true'] },
  { mark: "'unshare'", program: 'unshare', probe: ['-U', '-r', 'true'] },
];

/** Takes the directory of the tests; gives the files to leave out, and says why on stderr. */
export function unrunnableTests(directory: string): string[] {
  const missing = NEEDS.filter(
    ({ program, probe }) => !isInstalled(program) || !isAllowed(program, probe),
  );
  if (missing.length === 0) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(directory, name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      const need = missing.find(({ mark }) => text.includes(mark));
      if (need !== undefined)
        console.warn(`skipped ${file}: ${need.program} is not installed or not allowed`);
      return need !== undefined;
    });
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A container may have the program and forbid what it does. */
function isAllowed(program: string, probe: string[] | undefined): boolean {
  return probe === undefined || spawnSync(program, probe, { stdio: 'ignore' }).status === 0;
}
