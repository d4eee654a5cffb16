import type { FleetView } from '../../../../shared/schema/fleet.ts';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import { checkMembership } from '../../../fleet/membership/check-membership.ts';
import { systemClock } from '../../../lib/clock.ts';
import { readConfig } from '../../../lib/config/config.ts';
import { findDaemon, request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { print, printJson } from '../../print/print.ts';

const MAX_LINE = 400;

/** Prints one line for each check, with its fix; throws a CliError when one failed. */
export async function runFleetDoctor({ json = false }: { json?: boolean }): Promise<void> {
  const { home, nats: url } = readConfig();
  const checks = await checkMembership({ home, url, view: await viewOf(), clock: systemClock });
  const lines = checks.flatMap(({ name, ok, detail, fix }) => [
    `${ok ? 'ok    ' : 'failed'} ${name.padEnd(9)} ${oneLine(detail, MAX_LINE)}`,
    ...(fix === null ? [] : [`${' '.repeat(17)}${fix}`]),
  ]);
  if (json) printJson({ checks });
  else print(lines);
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  if (wrong.length > 0) throw new CliError(ExitCode.failed, `not in order: ${wrong.join(', ')}`);
}

/** Null when no daemon runs, or it does not answer. */
async function viewOf(): Promise<FleetView | null> {
  if (findDaemon() === null) return null;
  return request('listHosts', {}).catch(() => null);
}
