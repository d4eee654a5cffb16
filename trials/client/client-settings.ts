/** Settings with which a client reports to the daemon, as an agent of a loop does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseClientVersion } from '../../server/agents/client-version.ts';
import { openHookCapabilities } from '../../server/agents/hooks/hook-capability.ts';
import { hookSettings } from '../../server/agents/hooks/hook-settings.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

interface Reporting {
  version: string;
  session: string;
  /** Of the daemon. */
  home: string;
}

/** The path of the file, in `directory`. */
export function writeClientSettings(
  directory: string,
  { version, session, home }: Reporting,
): string {
  const parsed = parseClientVersion(`${version} (Claude Code)`);
  if (parsed === null) throw new Error(`no version: ${version}`);
  const capability = openHookCapabilities(home).issue({ session, runId: 'trial' });
  const runFile = join(directory, 'hook.json');
  writeFileSync(runFile, JSON.stringify({ daemon: join(home, 'daemon.json'), capability }));
  const relay = join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js');
  const paths = { node: process.execPath, relay, runFile, statusLineFile: null };
  const file = join(directory, 'settings.json');
  writeFileSync(file, JSON.stringify(hookSettings(parsed, paths)));
  return file;
}
