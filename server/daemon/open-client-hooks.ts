/** Hooks in the user's own settings, for the client that this daemon starts and those it finds. */
import { join } from 'node:path';
import { parseClientVersion } from '../agents/client-version.ts';
import { ANY_SESSION } from '../agents/hooks/hook-capability.ts';
import { configDirectory } from '../agents/records/config-directories.ts';
import { ClientHooks } from '../client-hooks/client-hooks.ts';
import type { Config } from '../lib/config/config.ts';
import { packageRoot } from '../lib/package-root.ts';
import type { Services } from './open-services.ts';

export function openClientHooks(
  { home, agentProgram }: Readonly<Config>,
  { shellEnvironment, capabilities, versions, found }: Services,
): ClientHooks {
  return new ClientHooks({
    home,
    directory: configDirectory(shellEnvironment),
    node: process.execPath,
    relay: join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js'),
    capability: capabilities.issue(ANY_SESSION),
    async versions() {
      const answer = await versions.of(agentProgram);
      const used = (found?.list() ?? []).map(({ version }) => `${version ?? ''} (Claude Code)`);
      return [answer ?? '', ...used].flatMap((text) => parseClientVersion(text) ?? []);
    },
  });
}
