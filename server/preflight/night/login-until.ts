/** Whether the agent's login lasts until the morning. Reads times, no secrets. */
import { join } from 'node:path';
import { z } from 'zod';
import type { NightCheck } from '../../../shared/schema/usage/night.ts';
import { configDirectory } from '../../agents/records/config-directories.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';

const MAX_BYTES = 1024 * 1024;
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
/** Times in milliseconds since 1970. */
const Credentials = z.object({
  claudeAiOauth: z.object({
    expiresAt: z.number(),
    refreshToken: z.string().optional(),
    refreshTokenExpiresAt: z.number().optional(),
  }),
});

/** `environment` is that of the terminals. */
export function loginUntil(
  environment: NodeJS.ProcessEnv,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): NightCheck {
  const name = 'login_until' as const;
  const key = KEYS.find((each) => (environment[each] ?? '') !== '');
  if (key !== undefined) {
    const detail = `${key} is set; it names no end.`;
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const read = readHostileFile(join(configDirectory(environment), '.credentials.json'), MAX_BYTES);
  const login = read.kind === 'text' ? parse(read.text) : null;
  if (login === null) {
    const detail = 'The end of the login is unknown: its credentials cannot be read.';
    return { name, state: 'unknown', detail, fix: null, at: null };
  }
  const { expiresAt, refreshToken, refreshTokenExpiresAt } = login;
  const isRenewed = refreshToken !== undefined;
  const endMs = isRenewed ? (refreshTokenExpiresAt ?? null) : expiresAt;
  if (endMs !== null && endMs < untilMs) {
    const detail =
      'The login of the agent ends before the morning. Its work then waits for a login.';
    const fix = 'Start the agent yourself and log in again: /login';
    const at = endMs > nowMs ? new Date(endMs).toISOString() : null;
    return { name, state: 'problem', detail, fix, at };
  }
  const detail = isRenewed
    ? 'The login renews itself; nothing says that it ends before the morning.'
    : `The login lasts until ${new Date(expiresAt).toISOString()}.`;
  return { name, state: 'ok', detail, fix: null, at: null };
}

function parse(text: string): z.infer<typeof Credentials>['claudeAiOauth'] | null {
  try {
    return Credentials.parse(JSON.parse(text)).claudeAiOauth;
  } catch {
    return null;
  }
}
