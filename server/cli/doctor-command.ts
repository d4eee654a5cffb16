/** `loopwatch doctor`: what a loop would miss on this machine. Needs no daemon. */
import type { Command } from 'commander';
import type { PreflightCheck } from '../../shared/model.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { print } from './print.ts';

/** Adds the command; it ends with 1 when something is missing. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what a loop needs on this machine, and what is missing')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { checkMachine } = await import('./check-machine.ts');
      const checks = await checkMachine();
      const text = json === true ? JSON.stringify({ checks }) : checks.map(lineOf).join('\n');
      print(text);
      const missing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
      if (missing.length > 0) {
        throw new CliError(ExitCode.failed, `not ready: ${missing.join(', ')}`);
      }
    });
}

function lineOf({ name, ok, detail, fix }: PreflightCheck): string {
  const line = `${ok ? 'ok     ' : 'missing'} ${name.padEnd(8)} ${detail}`;
  return fix === null ? line : `${line}\n${' '.repeat(17)}${fix}`;
}
