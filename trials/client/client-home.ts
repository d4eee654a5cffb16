/** A home in which the client starts without the questions of a first start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** No account's. A login, not a key: only a plan has usage limits. */
const LOGIN = {
  accessToken: 'sk-ant-oat01-trial-0123456789abcdefghijklmnopqrstuvwxyz',
  refreshToken: 'sk-ant-ort01-trial-0123456789',
  expiresAt: Date.UTC(2100, 0),
  scopes: ['user:inference', 'user:profile'],
  subscriptionType: 'max',
};
const OWNER_ONLY = 0o600;

/** Writes its configuration, and a `claude` in `bin` that talks to the model at `url` only. */
export function writeClientHome(
  { home, bin, projects }: { home: string; bin: string; projects: readonly string[] },
  program: string,
  url: string,
): void {
  mkdirSync(join(home, '.claude'), { recursive: true });
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const entries = projects.map((path) => [path, { allowedTools: [], mcpServers: {}, ...trusted }]);
  const state = {
    hasCompletedOnboarding: true,
    hasSeenAutoDefaultNudge: true,
    projects: Object.fromEntries(entries) as object,
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ theme: 'dark' }));
  const credentials = JSON.stringify({ claudeAiOauth: LOGIN });
  const file = join(home, '.claude', '.credentials.json');
  writeFileSync(file, credentials, { mode: OWNER_ONLY });
  const environment = {
    ANTHROPIC_BASE_URL: url,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const script = ['#!/bin/sh', ...exports, `exec '${program}' "$@"`, ''].join('\n');
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 });
}
