/** `loopwatch client …`: which versions of Claude Code are typed into. */
import type { Command } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import type {
  ClientVersions,
  TestedClient,
} from '../../../../shared/schema/agents/client-versions.ts';
import {
  CLIENT_TEST_TEXT,
  clientTestText,
  clientVersionText,
} from '../../../../shared/words/sessions/client-version-text.ts';
import { request } from '../../client.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { tableLines } from '../../print/table.ts';

const HEAD = ['version', 'typed into', 'test', 'sessions'];
const MAX_CELL = 80;

export function addClientCommands(program: Command): void {
  const client = program.command('client');

  client
    .command('ls')
    .description('list the versions in use, and those that a person trusts')
    .option('-q, --quiet', 'print only the versions')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { versions } = await request('listClientVersions', {});
      printList(versions, options, {
        id: ({ version }) => version,
        lines: (shown) => tableLines(HEAD, shown.map(cells)),
        none: 'no client is in use',
      });
    });

  client
    .command('test')
    .description(
      'start the installed client in a scratch directory, without an account, and say what is read right',
    )
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const tested = await request('testClient', {});
      printOne(tested, options, () => testLines(tested));
    });

  client
    .command('trust')
    .description('type into a version that is newer than tested')
    .argument('<version>', 'for example 2.1.400')
    .option('--json', 'output as JSON')
    .action(async (version: string, options: Output) => {
      const now = await request('setClientTrust', { body: { version, trusted: true } });
      printOne(now, options, () => [`${version} is trusted; what was held is typed now`]);
    });

  client
    .command('distrust')
    .description('type no longer into a version that a person trusted')
    .argument('<version>', 'for example 2.1.400')
    .option('--json', 'output as JSON')
    .action(async (version: string, options: Output) => {
      const now = await request('setClientTrust', { body: { version, trusted: false } });
      printOne(now, options, () => [distrusted(version, now)]);
    });
}

function testLines({ version, test }: TestedClient): string[] {
  const steps = test.steps.map(
    ({ step, ok, detail }) =>
      `${ok ? 'ok  ' : 'FAIL'} ${CLIENT_TEST_TEXT[step]}${detail === null ? '' : `: ${oneLine(detail, MAX_CELL)}`}`,
  );
  return [`Claude Code ${version ?? 'of an unknown version'}`, ...steps];
}

function distrusted(version: string, now: ClientVersions): string {
  const row = now.versions.find((each) => each.version === version);
  if (row?.trusted !== true) return `${version} is not trusted`;
  return `${version}: ${clientVersionText(row)}`;
}

function cells(row: ClientVersions['versions'][number]): string[] {
  const sessions = oneLine(row.sessions.join(', '), MAX_CELL);
  return [row.version, clientVersionText(row), clientTestText(row), sessions];
}
