/**
 * A stored loop whose session does not exist: its row came with another database, or the row of its
 * session was lost. The session is opened again in the task directory, where that is allowed;
 * otherwise the loop fails and says what is missing. No agent is started here.
 */
import { SessionName } from '../../../shared/schema/session-name.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import type { RealDirectory } from '../../lib/files/real-directory.ts';
import { randomId } from '../../lib/random-id.ts';
import { downtimeMs } from '../../supervision/stopwatch.ts';
import type { StoredLoop } from '../stores/stored-loop.ts';
import { DirectoryProbe } from '../directory/directory-probe.ts';
import type { LoopState } from '../machine/loop-state.ts';
import { timeoutAge } from '../machine/quota-clock.ts';
import { requireFree } from './start-checks.ts';
import { startedEvent } from './started-event.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { resolveTaskDirectory } from '../directory/task-directory.ts';

/** The session of a loop: it exists, its terminal is gone, or it cannot be opened. */
export type LoopSession =
  { kind: 'there' } | { kind: 'lost' } | { kind: 'missing'; reason: Reason; error: string };

export interface AdoptedLoop extends StoredLoop {
  session: LoopSession;
}

type AdoptOptions = Pick<
  SupervisorOptions,
  'log' | 'store' | 'sessions' | 'clock' | 'readDirectory'
> & { roots: readonly string[]; others: readonly LoopState[] };

/**
 * Opens the session of a loop that should run and has none, and claims it. `mayHaveEnded`: the row is from a
 * backup, which gives no right to run anything. Never rejects.
 */
export async function adoptLoop(
  stored: StoredLoop,
  mayHaveEnded: boolean,
  options: AdoptOptions,
): Promise<AdoptedLoop> {
  const { state, savedAtMs } = stored;
  const { sessions, clock } = options;
  const { status, sessionName, runId, stop } = state;
  const isThere = sessions.has(sessionName);
  // Without a run, another program wrote the row, or a daemon died while it adopted it.
  if (status === 'failed' || (isThere && (runId !== '' || mayHaveEnded)))
    return { ...stored, session: { kind: 'there' } };
  if (mayHaveEnded) {
    const error = 'it was restored from a backup, and its session is gone';
    return { ...stored, session: { kind: 'missing', reason: 'restored', error } };
  }
  try {
    const place = stop === null ? await placeOf(state, options) : null;
    const known = place === null ? {} : { taskDir: place.path, dirIdentity: place.identity };
    const adopted = { ...state, ...known, runId: runId || randomId() };
    const ageMs = state.ageMs + downtimeMs(savedAtMs, clock);
    // One that stops or is out of time needs no terminal for that.
    const needsSession = place !== null && ageMs < timeoutAge({ ...state, ageMs });
    if (needsSession && !isThere) await sessions.create(sessionName, place.path, isAnywhere(state));
    options.log.write((append) => {
      if (needsSession) sessions.owners.claim(append, sessionName, 'auto');
      options.store.save(adopted, savedAtMs);
      if (runId === '') append(startedEvent(adopted, startOf(state)));
    });
    return { state: adopted, savedAtMs, session: { kind: 'lost' } };
  } catch (error) {
    return { ...stored, session: problemOf(error, state) };
  }
}

/** Where the session is opened again. Throws why it cannot be. */
async function placeOf(state: LoopState, options: AdoptOptions): Promise<RealDirectory> {
  const { roots, others } = options;
  const { sessionName, taskDir, agentProcess } = state;
  const name = SessionName.safeParse(sessionName);
  if (!name.success) {
    throw unknown(
      `"${sessionName}" is no name for a session: ${name.error.issues[0]?.message ?? ''}`,
    );
  }
  if (agentProcess !== null && isAlive(agentProcess)) {
    throw unknown(
      `its agent still runs outside of any session; end it with: kill ${agentProcess.pid}`,
    );
  }
  const found = await new DirectoryProbe(state, options).status();
  if (found !== 'same') throw new AppError('task_dir_missing', `${taskDir} ${PROBLEMS[found]}`);
  const directory = resolveTaskDirectory(taskDir, isAnywhere(state) ? null : roots);
  requireFree(others, sessionName, directory);
  return directory;
}

/** A demo's own directory may be anywhere. */
function isAnywhere({ agent }: LoopState): boolean {
  return agent === 'stand-in';
}

const PROBLEMS = {
  gone: 'is missing',
  replaced: 'was replaced by another directory',
  unknown: 'does not respond',
};

function unknown(message: string): AppError {
  return new AppError('session_unknown', message);
}

/** What the row alone knows of the time before the log. */
function startOf({ startedAt, iteration, wait, quota }: LoopState) {
  const quota_since = quota === null ? null : wait.since;
  return { started_at: toIso(Date.parse(startedAt)), iteration, quota_since };
}

function problemOf(error: unknown, { sessionName, taskDir }: LoopState): LoopSession {
  const isOfDirectory = error instanceof AppError && error.code === 'task_dir_missing';
  const next = `then start it again: loopwatch session open ${sessionName} DIR, loopwatch loop restart ${sessionName}`;
  return {
    kind: 'missing',
    reason: isOfDirectory ? 'dir_gone' : 'session_unknown',
    error: `session ${sessionName} is gone and was not opened in ${taskDir}: ${messageOf(error)}; set that right, ${next}`,
  };
}
