/** Where the client keeps its files, and which of the user's own settings matter to us. */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { configDirectory } from '../records/config-directories.ts';

/** A person's settings file has some kilobytes. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

const UserSettings = z.looseObject({ statusLine: z.unknown().optional() });
const Modes = z.looseObject({
  permissions: z.looseObject({ defaultMode: z.string().max(40).optional() }).optional(),
});

/** True when the user has a status line, or may have one that cannot be read. */
export function hasOwnStatusLine(environment: NodeJS.ProcessEnv): boolean {
  const file = readHostileFile(
    join(configDirectory(environment), 'settings.json'),
    MAX_SETTINGS_BYTES,
  );
  if (file.kind !== 'text') return file.kind === 'refused';
  try {
    const { statusLine } = UserSettings.parse(JSON.parse(file.text));
    return statusLine !== undefined && statusLine !== null;
  } catch {
    return true;
  }
}

/**
 * The permission mode in the user's own settings; null without one, and where a project around
 * `directory` has its own, which takes precedence.
 */
export function ownPermissionMode(
  environment: NodeJS.ProcessEnv,
  directory: string,
): string | null {
  const own = join(configDirectory(environment), 'settings.json');
  const mode = modeIn(own);
  if (mode === null) return null;
  for (let place = directory; ; place = dirname(place)) {
    const files = ['settings.json', 'settings.local.json'].map((name) =>
      join(place, '.claude', name),
    );
    if (files.some((file) => file !== own && modeIn(file) !== null)) return null;
    if (dirname(place) === place) return mode;
  }
}

function modeIn(path: string): string | null {
  const file = readHostileFile(path, MAX_SETTINGS_BYTES);
  if (file.kind !== 'text') return null;
  try {
    return Modes.parse(JSON.parse(file.text)).permissions?.defaultMode ?? null;
  } catch {
    return null;
  }
}
