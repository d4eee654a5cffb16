/** The loop's own plugin of this installation: handed to the client, and read out to agents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';

/** The steps an agent can read up; each is a command of the plugin. */
export const GUIDES = ['plan', 'check', 'exec', 'merge', 'report'] as const;
export type Guide = (typeof GUIDES)[number];

export function pluginDirectory(): string {
  return join(packageRoot(), 'plugin');
}

/** What the command of a step tells the agent about a task directory; throws the system's error. */
export function readGuide(guide: Guide, taskDir: string): string {
  const text = readFileSync(join(pluginDirectory(), 'commands', `${guide}.md`), 'utf8');
  return text.replace(/^---\n[\s\S]*?\n---\n+/, '').replaceAll('$ARGUMENTS', () => taskDir);
}
