/** `loopwatch interrupt`: stops the turn of the agent that works in a session. */
import type { Command } from 'commander';
import { request } from './client.ts';
import { print } from './print.ts';

export function addInterruptCommand(program: Command): void {
  program
    .command('interrupt')
    .description('stop what the agent of a session does now; it stays at its prompt')
    .argument('<session>')
    .action(async (id: string) => {
      await request('interruptSession', { params: { id } });
      print(`interrupted the agent in ${id}`);
    });
}
