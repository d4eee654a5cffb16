/** A home in which the client starts without the questions of a first start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not a key of anybody; the client approves a key by its last 20 characters. */
const KEY = 'sk-ant-trial-0123456789abcdefghijkl';
const APPROVED_LENGTH = 20;

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
    customApiKeyResponses: { approved: [KEY.slice(-APPROVED_LENGTH)], rejected: [] },
    projects: Object.fromEntries(entries) as object,
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ theme: 'dark' }));
  const environment = {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: url,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const script = ['#!/bin/sh', ...exports, `exec '${program}' "$@"`, ''].join('\n');
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 });
}
