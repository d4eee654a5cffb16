/** Test files that this machine cannot run, because a program they drive is not installed. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a file that imports or names this needs on the PATH. */
const NEEDS = [
  { mark: 'support/world.ts', program: 'tmux' },
  { mark: 'createTmuxHost', program: 'tmux' },
  { mark: "spawn('script'", program: 'script' },
  { mark: 'support/strace.ts', program: 'strace' },
  { mark: 'playwright-core', program: 'chromium' },
  { mark: 'support/browser.ts', program: 'chromium' },
];

/** Takes the directory of the tests; gives the files to leave out, and says why on stderr. */
export function unrunnableTests(directory: string): string[] {
  const missing = NEEDS.filter(({ program }) => !isInstalled(program));
  if (missing.length === 0) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(directory, name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      const need = missing.find(({ mark }) => text.includes(mark));
      if (need !== undefined) console.warn(`skipped ${file}: ${need.program} is not installed`);
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
