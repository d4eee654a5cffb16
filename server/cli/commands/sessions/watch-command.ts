/**
 * `loopwatch watch`: events as lines, as JSON, or as a command run for each; or, with `--dead-man`,
 * the daemon itself.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { EVENT_TYPES } from '../../../../shared/schema/events/events.ts';
import { parseCursor } from '../../../../shared/schema/events/cursor.ts';
import { subjectRef } from '../../../../shared/schema/events/subject.ts';
import { describeEvent } from '../../../../shared/words/events/describe-event.ts';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';
import { request } from '../../client.ts';
import { listOf, parseSessionName, parseSubject, usage, wholeNumber } from '../../command-parts.ts';
import { parseTypePattern } from '../../parse-type-pattern.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { type FollowedEvent, followEvents } from '../../follow-events.ts';
import { notice, print, printed, printJson } from '../../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';
import { runShell } from '../../run-shell.ts';
import { deadMan } from '../daemon/dead-man.ts';

/** A command that fails is tried again after these pauses; then the watch ends, cursor unmoved. */
const EXEC_RETRIES_MS = [1_000, 5_000, 15_000];

interface WatchOptions extends Zoned {
  types?: string;
  session?: string;
  subject?: string;
  after?: string;
  json?: boolean;
  exec?: string;
  cursorFile?: string;
  deadMan?: number | true;
}

export function addWatchCommand(program: Command): void {
  program
    .command('watch')
    .addOption(
      new Option('--types <list>', 'event types, comma-separated, exact or prefix.*')
        .choices(EVENT_TYPES)
        .argParser(listOf(parseTypePattern)),
    )
    .option('--session <list>', 'only these sessions, comma-separated', listOf(parseSessionName))
    .option(
      '--subject <list>',
      'only these subjects, e.g. loop:web,task:fix-login',
      listOf(parseSubject),
    )
    .option(
      '--after <cursor>',
      'start after a seq or epoch:seq; 0 = everything kept (default: now)',
    )
    .option('--json', 'output one JSON object per line, with its key')
    .addOption(UTC_OPTION)
    .option(
      '--exec <command>',
      'run a shell command per event: JSON on stdin, LOOPWATCH_EVENT_* set',
    )
    .option('--cursor-file <file>', 'save the cursor to this file and resume from it')
    .addOption(
      new Option(
        '--dead-man [seconds]',
        'instead of events, report when the daemon does not answer for that long (default: 60)',
      )
        .argParser(wholeNumber(1, 86_400))
        .conflicts(['types', 'session', 'subject', 'after', 'cursorFile']),
    )
    .action(watch);
}

async function watch(options: WatchOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  if (options.deadMan !== undefined) return deadMan(options, stop.signal);
  const after = startOf(options);
  const { types, session, subject } = options;
  if (after === null && session !== undefined) await requireSessions(session.split(','));
  for await (const page of followEvents({
    after,
    types,
    session,
    subject,
    signal: stop.signal,
    notice,
  })) {
    for (const followed of page.events) {
      await printEvents(followed, options, stop.signal);
      if (options.exec !== undefined) keep(options.cursorFile, followed.key);
    }
    // What no reader took is printed again from the kept cursor.
    await printed();
    keep(options.cursorFile, page.cursor);
  }
}

/** Only what was kept of the past has events of a closed session. A daemon that is away comes back. */
async function requireSessions(names: readonly string[]): Promise<void> {
  try {
    for (const id of names) await request('getSession', { params: { id } });
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== ExitCode.notRunning) throw error;
  }
}

function startOf({ after, cursorFile }: WatchOptions): string | null {
  const kept = cursorFile === undefined ? null : readCursor(cursorFile);
  const text = kept ?? after ?? null;
  if (text !== null && parseCursor(text) === null) {
    const where = kept === null ? '--after' : `--cursor-file ${cursorFile ?? ''}`;
    throw usage(`${where}: "${text}" is neither a seq nor epoch:seq`);
  }
  return text;
}

function readCursor(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

function keep(file: string | undefined, cursor: string): void {
  if (file === undefined) return;
  const path = resolve(file);
  writeFileAtomic(dirname(path), basename(path), `${cursor}\n`);
}

async function printEvents(
  followed: FollowedEvent,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const { event, key } = followed;
  if (options.json === true) printJson({ key, ...event });
  else {
    const time = timeIn(options);
    const { text } = describeEvent(event, time);
    print(`${time(event.at)}  ${event.session ?? '-'}  ${event.type}  ${text}`);
  }
  if (options.exec === undefined) return;
  await printed();
  for (const pause of [...EXEC_RETRIES_MS, null]) {
    const code = await run(options.exec, followed);
    if (code === 0) return;
    notice(`the command exited with ${code} for ${key}`);
    if (pause === null || signal.aborted) break;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  throw new CliError(
    ExitCode.failed,
    `the command keeps failing for ${key}; later events were not processed. Fix it, then run watch again`,
  );
}

async function run(command: string, { event, key }: FollowedEvent): Promise<number> {
  const variables = {
    LOOPWATCH_EVENT_KEY: key,
    LOOPWATCH_EVENT_TYPE: event.type,
    LOOPWATCH_EVENT_SESSION: event.session ?? '',
    LOOPWATCH_EVENT_SUBJECT: subjectRef(event.subject),
    LOOPWATCH_EVENT_TASK: event.subject.kind === 'task' ? event.subject.id : '',
    LOOPWATCH_EVENT_REASON: ('reason' in event.data ? event.data.reason : null) ?? '',
  };
  return runShell(command, variables, { key, ...event });
}
