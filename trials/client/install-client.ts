/** Real clients, each version in a directory of its own, outside the tree. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execFile } from '../../server/lib/processes/exec-file.ts';

const PACKAGE = '@anthropic-ai/claude-code';
const INSTALL_MS = 10 * 60_000;
const VIEW_MS = 60_000;

export interface Client {
  version: string;
  /** Its path. */
  program: string;
}

/** Or why it cannot be had. */
export type InstalledClient = Client | { missing: string };

/** `newest` is what the registry has. Kept for the next time. */
export async function installClient(wanted: string): Promise<InstalledClient> {
  const version = wanted === 'newest' ? await newestVersion() : wanted;
  if (version === null) return { missing: 'the registry does not answer' };
  const directory = join(cacheDirectory(), version);
  const program = join(directory, 'node_modules/.bin/claude');
  if (!existsSync(program)) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{"private":true}');
    const words = ['install', '--no-audit', '--no-fund', `${PACKAGE}@${version}`];
    const result = await execFile('npm', words, { cwd: directory, timeoutMs: INSTALL_MS });
    if (!result.ok) return { missing: `npm install failed: ${result.stderr.slice(-300)}` };
  }
  const answer = await execFile(program, ['--version'], { timeoutMs: VIEW_MS });
  if (!answer.ok) return { missing: `it does not run: ${answer.stderr.slice(0, 300)}` };
  return { version, program };
}

async function newestVersion(): Promise<string | null> {
  const result = await execFile('npm', ['view', PACKAGE, 'version'], { timeoutMs: VIEW_MS });
  return result.ok ? result.stdout.trim() : null;
}

function cacheDirectory(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'loopwatch', 'clients');
}
