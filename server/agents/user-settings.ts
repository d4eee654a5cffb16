/** Where the client keeps its files, and what of the user's own settings matters to us. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../lib/hostile-file.ts';

/** A settings file of a person has some kilobytes. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

const UserSettings = z.looseObject({ statusLine: z.unknown().optional() });

/** Takes a terminal's environment; gives the directory of the client's settings. */
export function clientDirectory(environment: NodeJS.ProcessEnv): string {
  return environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? homedir(), '.claude');
}

/** Takes the same; tells whether the user has a status line, or may have one that cannot be read. */
export function hasOwnStatusLine(environment: NodeJS.ProcessEnv): boolean {
  const file = readHostileFile(
    join(clientDirectory(environment), 'settings.json'),
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
