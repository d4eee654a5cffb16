/** `loopwatch hooks …`: answer the sessions you start without Loopwatch. */
import type { Command } from 'commander';
import { lineDiff } from '../../../../shared/rules/text/line-diff.ts';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import type { ClientHooks } from '../../../../shared/schema/agents/client-hooks.ts';
import { request } from '../../client.ts';
import { type Output, printOne } from '../../print/output.ts';
import { print } from '../../print/print.ts';

const STATE_TEXT: Record<ClientHooks['state'], string> = {
  off: 'not installed: sessions you start yourself are answered where they run',
  on: 'installed: permissions and questions of all sessions can be answered in Loopwatch',
  outdated: 'installed by an earlier version: install them again',
};
const NEXT: Record<ClientHooks['state'], string> = {
  off: 'loopwatch hooks install --dry-run',
  on: 'loopwatch hooks remove',
  outdated: 'loopwatch hooks install',
};
const SIGN = { same: ' ', added: '+', removed: '-' } as const;

type Action = 'install' | 'remove';

interface ChangeOptions extends Output {
  dryRun?: boolean;
}

export function addHooksCommands(program: Command): void {
  const hooks = program.command('hooks');

  hooks
    .command('status')
    .description('show whether the hooks are installed, and where')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const view = await request('getClientHooks', {});
      printOne(view, options, () => statusLines(view));
    });

  addChange(hooks, 'install', "add the hooks to the client's settings.json, with a backup");
  addChange(hooks, 'remove', 'remove them again; the file is then as it was before');
}

function addChange(hooks: Command, action: Action, description: string): void {
  hooks
    .command(action)
    .description(description)
    .option('--dry-run', 'only show what would change')
    .option('--json', 'output as JSON')
    .action(async ({ dryRun, ...options }: ChangeOptions) => {
      const before = await request('getClientHooks', {});
      const isDone = before.state === (action === 'install' ? 'on' : 'off');
      if (options.json !== true && !isDone) print(changeLines(before, action));
      if (dryRun === true) {
        if (options.json === true) printOne(before, options, () => []);
        else if (isDone) print(statusLines(before));
        return;
      }
      const body = { action, ...(before.change === null ? {} : { mark: before.change.mark }) };
      const after = await request('changeClientHooks', { body });
      printOne(after, options, () => statusLines(after));
    });
}

function statusLines({ state, file, refusal }: ClientHooks): string[] {
  const lines = [`Hooks ${STATE_TEXT[state]}`, `File: ${plainText(file)}`];
  if (refusal !== null) return [...lines, `Cannot be changed: ${plainText(refusal)}`];
  return [...lines, `Next: ${NEXT[state]}`];
}

/** The view has the one change that its state allows. */
function changeLines({ state, file, change }: ClientHooks, action: Action): string[] {
  if (change === null || (action === 'remove') !== (state === 'on')) return [];
  const lines = lineDiff(change.before, change.after);
  return [plainText(file), ...lines.map(({ kind, text }) => `${SIGN[kind]} ${plainText(text)}`)];
}
