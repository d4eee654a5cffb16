/** `loopwatch service`: prints how the system can run the daemon. Changes nothing. */
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { givenSettings, readConfig } from '../../lib/config/config.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { printRaw } from '../print/print.ts';
import { launchdPlist } from './launchd-plist.ts';
import { requireWritable, type ServicePlan } from './service-plan.ts';
import { systemdUnit } from './systemd-unit.ts';

/** Adds the command. */
export function addServiceCommand(program: Command): void {
  program
    .command('service')
    .option('--system', 'print a system unit that runs as the current user')
    .option('--launchd', 'print a launchd property list')
    .action(({ system = false, launchd = false }: { system?: boolean; launchd?: boolean }) => {
      if (system && launchd)
        throw new CliError(ExitCode.usage, 'pass either --system or --launchd, not both');
      const plan = servicePlan();
      requireWritable(plan);
      printRaw(launchd ? launchdPlist(plan, homedir()) : systemdUnit(plan, { system }));
    });
}

function servicePlan(): ServicePlan {
  // First, so that no unit is printed that could not start.
  const { home, token } = readConfig();
  return {
    node: process.execPath,
    program: join(packageRoot(), 'dist/server/main.js'),
    environment: givenSettings(),
    home,
    user: userInfo().username,
    tokenIsSet: token !== null,
  };
}
