/** `loopwatch run …`: work that is planned, executed, reviewed and fixed, phase by phase. */
import type { Command } from 'commander';
import { addListCommands } from './list-commands.ts';
import { addStartCommands } from './start-commands.ts';
import { addSteerCommands } from './steer-commands.ts';
import { addStoreCommands } from './store-commands.ts';
import { addWorkCommands } from './work-commands.ts';

const CODES = `
Exit codes: 0 done, 1 failed or stopped, 2 usage, 3 no such run, 4 stale, 5 working directory
missing, 6 checkpoint or archive cannot be read, 69 no daemon, 130 interrupted`;

export function addRunCommands(program: Command): void {
  const run = program.command('run').addHelpText('after', CODES);
  addStartCommands(run);
  addListCommands(run);
  addSteerCommands(run);
  addWorkCommands(run);
  addStoreCommands(run);
}
