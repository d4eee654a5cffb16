/** `loopwatch session …`: terminals with a name. */
import { basename, dirname, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { leftoverText } from '../../../../shared/words/sessions/leftover-text.ts';
import { agentText } from '../../../../shared/words/sessions/agent-text.ts';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import type { Session } from '../../../../shared/schema/model.ts';
import type { Owner } from '../../../../shared/schema/owner.ts';
import { request, requestText } from '../../client.ts';
import { choices, type Json, parseSessionName, usage } from '../../command-parts.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { backgroundLines, foundTable } from '../../print/print-found.ts';
import { tableLines } from '../../print/table.ts';
import { addAttachCommand } from './attach-command.ts';
import { addContinueCommand } from './continue-command.ts';
import { addIgnoreCommand } from './ignore-command.ts';
import { addInputCommand, addInterruptCommand } from './input-commands.ts';
import { addPeekCommand, addScreenCommand } from './screen-command.ts';
import type { RecordingStatus } from '../../../../shared/endpoints/sessions/recording-endpoints.ts';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';
import { print } from '../../print/print.ts';

const OWNER_WORD: Record<Owner, string> = { auto: 'loop', respawn: 'respawn' };
const NONE = 'no sessions; open one with: loopwatch session open NAME DIR';
const FOUND_OFF = 'sessions elsewhere are not shown; start the daemon without LOOPWATCH_FOUND=off';
const HEAD = ['session', 'agent', 'owner', 'terminal', 'directory'];

export function addSessionCommands(program: Command): void {
  const session = program.command('session');

  session
    .command('ls')
    .description('list sessions and what their agents do')
    .option('-a, --all', 'also those on this machine that Loopwatch did not start')
    .option('-q, --quiet', 'print only the names')
    .option('--json', 'output as JSON')
    .action(async ({ all = false, ...options }: Output & { all?: boolean }) => {
      const { sessions } = await request('listSessions', {});
      if (!all) {
        return printList(sessions, options, {
          id: ({ name }) => name,
          lines: sessionTable,
          none: NONE,
        });
      }
      const [{ sessions: found, is_on }, background] = await Promise.all([
        request('listFound', {}),
        request('listBackground', {}),
      ]);
      // The two kinds have different fields: each row says which it is.
      const own = sessions.map((row) => ({ source: 'loopwatch' as const, row }));
      const others = found.map((row) => ({ source: 'elsewhere' as const, row }));
      const ended = background.sessions.map((row) => ({ source: 'background' as const, row }));
      printList([...own, ...others, ...ended], options, {
        id: (each) => (each.source === 'loopwatch' ? each.row.name : each.row.id),
        lines: () => [
          ...(sessions.length === 0 ? [NONE] : sessionTable(sessions)),
          '',
          ...(is_on ? ['Elsewhere on this machine, read-only:'] : [FOUND_OFF]),
          ...(found.length === 0 ? [] : foundTable(found, Date.now())),
          ...backgroundLines(background),
        ],
        none: is_on ? `${NONE}; none run elsewhere` : `${NONE}; ${FOUND_OFF}`,
      });
    });

  session
    .command('open')
    .description('open a terminal with a shell in a directory')
    .argument('<name>', '1 to 32 letters, digits, - and _', parseSessionName)
    .argument('[dir]', 'its directory (default: this one)')
    .option('--json', 'output as JSON')
    .action(async (name: string, directory: string | undefined, options: Json) => {
      const body = { name, cwd: resolve(directory ?? '.') };
      const opened = await request('createSession', { body });
      printOne(opened, options, () => `${name}: opened in ${plainText(opened.cwd)}`);
    });

  session
    .command('close')
    .description('end a terminal and everything started in it')
    .argument('<session>')
    .option('--json', 'output as JSON')
    .action(async (id: string, options: Json) => {
      const closed = await request('deleteSession', { params: { id } });
      printOne(closed, options, () => [
        `${id}: closed`,
        ...(closed.left === undefined ? [] : [leftoverText(closed.left)]),
      ]);
    });

  addScreenCommand(session);
  addPeekCommand(session);
  addContinueCommand(session);
  addIgnoreCommand(session);
  addAttachCommand(session);
  addInputCommand(session);
  addInterruptCommand(session);
  addRecordCommand(session);
}

function sessionTable(sessions: readonly Session[]): string[] {
  return tableLines(HEAD, sessions.map(cells));
}

function cells({ name, status, agent, owner, terminal, cwd }: Session): string[] {
  const state = agent === null ? '-' : agentText(agent.state, agent.cause);
  return [
    name,
    status === 'open' ? state : status,
    owner === null ? '-' : OWNER_WORD[owner],
    terminal,
    plainText(cwd),
  ];
}

function addRecordCommand(program: Command): void {
  program
    .command('record')
    .description('record a session as asciicast v2')
    .argument('<session>')
    .addArgument(choices(new Argument('<action>'), ['start', 'stop', 'save']))
    .argument('[file]', 'output file, with save')
    .action(record);
}

async function record(session: string, word: string, file?: string): Promise<void> {
  const params = { id: session };
  if (word === 'start' && file === undefined) {
    printRecording(await request('startRecording', { params }));
    return;
  }
  if (word === 'stop' && file === undefined) {
    printRecording(await request('stopRecording', { params }));
    return;
  }
  if (word !== 'save') throw usage(`${word} takes no file; only save does`);
  if (file === undefined) throw usage('save requires a file, e.g. web.cast');
  const path = resolve(file);
  writeFileAtomic(dirname(path), basename(path), await requestText('getRecording', { params }));
  print(`saved to ${path}`);
}

function printRecording({ session, state, bytes, ended }: RecordingStatus): void {
  const why = ended === null ? '' : ` (${ended})`;
  print(`${session}: ${state}${why}, ${bytes} bytes`);
}
