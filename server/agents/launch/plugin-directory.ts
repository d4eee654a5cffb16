/** The plugin of this installation: the client loads it, and agents read its guides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import { isQuotable } from '../agents.ts';
import { type ClientVersion, compareVersions } from '../client-version.ts';

/** The first version seen to take `--plugin-dir`. */
export const PLUGIN_FLAG_SINCE: Readonly<ClientVersion> = { major: 2, minor: 1, patch: 197 };

/** Steps with a guide; each is a command of the plugin. */
export const GUIDES = ['plan', 'check', 'exec', 'merge', 'report'] as const;
export type Guide = (typeof GUIDES)[number];

export function pluginDirectory(): string {
  return join(packageRoot(), 'plugin');
}

/** Loads the plugin for one start; '' for a client not known to take it, or a path that cannot be typed. */
export function pluginFlag(version: ClientVersion | null): string {
  const isTaken = version !== null && compareVersions(version, PLUGIN_FLAG_SINCE) >= 0;
  return isTaken && isQuotable(pluginDirectory()) ? `--plugin-dir "${pluginDirectory()}"` : '';
}

/** The text of a step's command for one task directory. Throws the system's error. */
export function readGuide(guide: Guide, taskDir: string): string {
  const text = readFileSync(join(pluginDirectory(), 'commands', `${guide}.md`), 'utf8');
  return text.replace(/^---\n[\s\S]*?\n---\n+/, '').replaceAll('$ARGUMENTS', () => taskDir);
}
