#!/usr/bin/env node
/** The process entry. */
import { runCli } from './cli/cli.ts';
import { endWithoutReader } from './cli/print/print.ts';

// Node would open its inspector, which runs any code, for a process that sends this signal.
process.on('SIGUSR1', () => undefined);

endWithoutReader();

process.exitCode = await runCli(process.argv.slice(2));
