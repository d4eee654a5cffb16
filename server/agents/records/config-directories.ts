/** Where clients keep their records and transcripts. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** That of the clients started with this environment. */
export function configDirectory(environment: NodeJS.ProcessEnv): string {
  return environment['CLAUDE_CONFIG_DIR'] ?? defaultDirectory(environment);
}

/**
 * That one first, then the one of clients started without the variable, as in a terminal of the
 * user.
 */
export function configDirectories(environment: NodeJS.ProcessEnv): string[] {
  return [...new Set([configDirectory(environment), defaultDirectory(environment)])];
}

function defaultDirectory(environment: NodeJS.ProcessEnv): string {
  return join(environment['HOME'] ?? homedir(), '.claude');
}
