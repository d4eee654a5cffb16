/** Starts the sessions one after the other, causes a state in each, and ends them all. */
import { readProcess } from '../../server/lib/processes/process-identity.ts';
import { type Cause, promptFor } from './causes.ts';
import type { FoundStage } from './found-stage.ts';
import type { HandSession, Place } from './hand-session.ts';
import { processorWaitMs } from './processor-wait.ts';
import type { Row, Took } from './row.ts';

/** How a person ends it; `itself`: it prints one answer. */
type End = 'exit' | 'close' | 'term' | 'kill' | 'itself';

export interface Role {
  name: string;
  place: Place;
  /** Null: it stays at its prompt. */
  cause: Cause | null;
  end: End;
}

const PLACES = ['tmux', 'terminal'] as const;
export const ROLES: readonly Role[] = [
  { name: 'print', place: 'print', cause: 'work', end: 'itself' },
  { name: 'crash', place: 'terminal', cause: 'long', end: 'kill' },
  ...PLACES.flatMap((place): Role[] => [
    { name: `${place}-1`, place, cause: 'work', end: 'exit' },
    { name: `${place}-2`, place, cause: 'permission', end: 'close' },
    { name: `${place}-3`, place, cause: 'question', end: 'exit' },
    { name: `${place}-4`, place, cause: null, end: 'term' },
  ]),
  { name: 'background-1', place: 'background', cause: 'work', end: 'close' },
  { name: 'background-2', place: 'background', cause: 'permission', end: 'close' },
];

/** Of one session, until its caused states were shown; one that ends by then is gone. */
export async function startOne(stage: FoundStage, role: Role): Promise<Row> {
  const { name, place, cause, end } = role;
  const session = await stage.open(name, place, cause === null ? null : promptFor(name, cause));
  const row: Row = { role, pid: session.pid, listed: null, states: [], gone: null };
  const listing = stopwatch(stage);
  const appeared = await stage.until(`${name} is listed`, () => stage.shown.of(session.pid)[0]);
  row.listed = {
    ...listing(session.recordedAtMs, appeared.atMs),
    ownMs: session.recordedAtMs - session.startedAtMs,
  };
  for (const words of expected(cause, end)) row.states.push(await shows(stage, session, words));
  if (end === 'kill' || end === 'itself') row.gone = await endOne(stage, session, end);
  return row;
}

/** Ends it as a person does; how long it was still listed after its process. */
export async function endOne(stage: FoundStage, session: HandSession, end: End): Promise<Took> {
  const { name, pid } = session;
  if (end === 'exit') {
    await session.escape();
    await stage.until(`${name} is at its prompt`, () => last(stage, pid)?.words === 'ready');
    await session.submit('/exit');
  }
  if (end === 'close') await session.close();
  if (end === 'term') process.kill(pid, 'SIGTERM');
  if (end === 'kill') process.kill(pid, 'SIGKILL');
  const leaving = stopwatch(stage);
  await stage.until(`the end of ${name}`, () => readProcess(pid) === null);
  const endedAtMs = performance.now();
  const gone = await stage.until(`${name} is gone`, () =>
    stage.shown.of(pid).findLast(({ how }) => how !== null),
  );
  return { ...leaving(endedAtMs, gone.atMs), note: gone.how };
}

/** Waits until the session is caused to be that, records it and is shown as it. */
async function shows(
  stage: FoundStage,
  { name, pid, recordedAtMs }: HandSession,
  words: string,
): Promise<Row['states'][number]> {
  const watch = stopwatch(stage);
  const { status, shown: shownThen } = wordsFor(words);
  // Nothing but its start makes it wait for a prompt.
  const caused =
    words === 'idle'
      ? { atMs: recordedAtMs }
      : await stage.until(`${name} is caused to be ${words}`, () =>
          stage.causes.of(name).find((each) => each.words === words),
        );
  const recorded = await stage.until(`${name} records that it is ${words}`, () => {
    const now = stage.records.of(pid).at(-1);
    if (now?.status === status) return now;
    const isSilent = now?.status === null && performance.now() - caused.atMs > SILENT_MS;
    return isSilent ? now : null;
  });
  const wanted = recorded.status === null ? 'running' : shownThen;
  const note = recorded.status === null ? ' (its record names no status)' : '';
  const since = Math.max(caused.atMs, recorded.atMs);
  const seen = await stage
    .until(
      `${name} is shown as ${words}`,
      () => {
        const now = last(stage, pid);
        return now?.words === wanted ? now : null;
      },
      SHOWN_MS,
    )
    .catch(() => null);
  const shown = seen?.words ?? last(stage, pid)?.words ?? 'nothing';
  const took = watch(since, seen?.atMs ?? performance.now());
  const ownMs = Math.max(0, recorded.atMs - caused.atMs);
  return { caused: words + note, shown, ...took, ownMs, isRight: seen !== null };
}

/** What the client records then, and what a page says. */
function wordsFor(words: string): { status: string; shown: string } {
  if (words === 'working') return { status: 'busy', shown: words };
  if (words.startsWith('waiting')) return { status: 'waiting', shown: words };
  return { status: 'idle', shown: 'ready' };
}

/** The states in the order they are caused. */
function expected(cause: Cause | null, end: End): string[] {
  if (cause === null) return ['idle'];
  if (cause === 'work') return end === 'itself' ? ['working'] : ['working', 'ready'];
  return cause === 'long' ? ['working'] : [`waiting ${cause}`];
}

function last(stage: FoundStage, pid: number) {
  return stage.shown.of(pid).at(-1);
}

/** From now on: a delay, and how long the daemon waited for a processor meanwhile. */
function stopwatch(stage: FoundStage) {
  const before = processorWaitMs(stage.daemon.pid);
  return (fromMs: number, toMs: number): Took => ({
    ms: Math.max(0, toMs - fromMs),
    waitedMs: processorWaitMs(stage.daemon.pid) - before,
    note: null,
  });
}

/** A client that has not recorded a status this long after it was caused records none. */
const SILENT_MS = 3_000;
/** A state that is not shown by then is wrong. */
const SHOWN_MS = 20_000;
