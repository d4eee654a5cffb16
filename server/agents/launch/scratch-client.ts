/**
 * The configuration of a client that uses no account: it starts without the questions of a first
 * start, and knows only that model.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** No account's. A login, not a key: only a plan has usage limits. */
const LOGIN = {
  accessToken: 'sk-ant-oat01-scratch-0123456789abcdefghijklmnopqrstuvwxyz',
  refreshToken: 'sk-ant-ort01-scratch-0123456789',
  expiresAt: Date.UTC(2100, 0),
  scopes: ['user:inference', 'user:profile'],
  subscriptionType: 'max',
};
const OWNER_ONLY = 0o600;

interface ScratchPlaces {
  /** Its settings, login, records and transcripts. */
  config: string;
  /** Its own state: in the configuration, or in the home of a client without the variable for it. */
  state: string;
  /** Directories it trusts. */
  projects: readonly string[];
}

/** Writes it; returns the environment of such a client. `url`: of the model. */
export function writeScratchClient(
  { config, state, projects }: ScratchPlaces,
  url: string,
): Record<string, string> {
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const entries = projects.map((path) => [path, { allowedTools: [], mcpServers: {}, ...trusted }]);
  const known = {
    hasCompletedOnboarding: true,
    hasSeenAutoDefaultNudge: true,
    projects: Object.fromEntries(entries) as object,
  };
  writeFileSync(join(state, '.claude.json'), JSON.stringify(known));
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ theme: 'dark' }));
  const credentials = JSON.stringify({ claudeAiOauth: LOGIN });
  writeFileSync(join(config, '.credentials.json'), credentials, { mode: OWNER_ONLY });
  return {
    ANTHROPIC_BASE_URL: url,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}
