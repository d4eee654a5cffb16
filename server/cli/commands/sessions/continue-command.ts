/** `loopwatch session continue`: a session started without Loopwatch, in one of its own. */
import type { Command } from 'commander';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import { request } from '../../client.ts';
import { type Json, parseSessionName, usage } from '../../command-parts.ts';
import { printOne } from '../../print/output.ts';

interface ContinueOptions extends Json {
  stop?: boolean;
  attach?: boolean;
}

const STARTED = {
  resume: 'continues its conversation',
  stop: 'continues its conversation, which was stopped in the background',
  attach: 'shows it; it keeps running in the background',
} as const;

export function addContinueCommand(session: Command): void {
  session
    .command('continue')
    .description('continue a session started without Loopwatch in a new one')
    .argument('<pid>', 'as in: loopwatch session ls --all; also of one that has ended')
    .argument('[name]', 'of the new session (default: its directory)', parseSessionName)
    .option('--stop', 'end it in the background first, with claude stop')
    .option('--attach', 'show it where it runs in the background, with claude attach')
    .option('--json', 'output as JSON')
    .action(async (id: string, name: string | undefined, options: ContinueOptions) => {
      const { stop = false, attach = false } = options;
      if (stop && attach) throw usage('--stop cannot be combined with --attach');
      const how = stop ? 'stop' : attach ? 'attach' : 'resume';
      const body = { how, ...(name === undefined ? {} : { name }) } as const;
      const opened = await request('continueFound', { params: { id }, body });
      printOne(opened, options, () => [
        `${opened.name}: ${STARTED[how]}, in ${plainText(opened.cwd)}`,
        `attach with: loopwatch session attach ${opened.name}`,
      ]);
    });
}
