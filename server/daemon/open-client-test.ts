/** The test of the agent's client: on request, and once for each version that is not trusted. */
import { parseVersion } from '../agents/client-version.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { ClientTest } from '../preflight/client-test/client-test.ts';
import type { Store } from './open-store.ts';
import type { Services } from './open-services.ts';

export async function openClientTest(
  { home, agentProgram }: Readonly<Config>,
  { logger }: Store,
  {
    terminals,
    monitor,
    clientVersions,
  }: Pick<Services, 'terminals' | 'monitor' | 'clientVersions'>,
  clock: Clock,
  scope: Scope,
) {
  const { host } = terminals;
  const client = new ClientTest({ host, home, program: agentProgram, clock, logger });
  await client.recover();
  scope.own(async () => client.dispose());
  const test = async () => {
    const tested = await client.run();
    const { version } = tested;
    if (version !== null && parseVersion(version) !== null)
      clientVersions.addTest(version, tested.test);
    return tested;
  };
  const seen = new Set<string>();
  monitor.onProbe((session) => {
    const version = monitor.details(session)?.clientVersion ?? null;
    if (version === null || seen.has(version) || clientVersions.careful(version) === null) return;
    seen.add(version);
    if (clientVersions.testOf(version) !== null) return;
    test().catch((error: unknown) => {
      logger.warn({ err: messageOf(error), version }, 'the client could not be tested');
    });
  });
  return test;
}
