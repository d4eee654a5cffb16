/** `loopwatch mcp`: the daemon as tools for other agents, over the Model Context Protocol. */
import type { Command } from 'commander';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .option('--write', 'add tools that start, stop and answer; needs the role of an operator')
    .action(async ({ write = false }: { write?: boolean }) =>
      (await import('./serve-mcp.ts')).serveMcp({ write }),
    );
}
