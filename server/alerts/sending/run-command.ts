/** One run of a command: no shell, the message on its standard input, its own environment. */
import { type Subject, subjectRef } from '../../../shared/schema/events/subject.ts';
import type { Clock } from '../../lib/clock.ts';
import { type BoundedRun, runBounded } from '../../lib/processes/run-bounded.ts';
import { failure, type Message, type Outcome, success } from './outcome.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024;

interface RunOptions {
  clock: Clock;
  /** Passed in addition to the event: none of the daemon's own settings. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** After 30 s, or when `signal` aborts, its whole process group is killed. Never throws. */
export async function runCommand(
  argv: readonly string[],
  message: Message,
  { clock, environment, signal }: RunOptions,
): Promise<Outcome> {
  const run = await runBounded(argv, {
    clock,
    signal,
    directory: '/',
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    environment: { ...environment, ...eventVariables(message) },
    input: `${message.body}\n`,
    leftovers: 'waited_for',
  });
  return { ...outcomeOf(run), output: run.output === '' ? null : run.output };
}

function outcomeOf({ end, exit_code: code, cause }: BoundedRun): Outcome {
  switch (end) {
    case 'exited':
      if (code === 0) return success(0);
      return failure(`exit code ${code ?? 'unknown'}`, { status: code });
    case 'signalled':
      return failure(`ended by ${cause ?? 'a signal'}`);
    case 'timed_out':
      return failure(`killed after ${TIMEOUT_MS / 1000} s`);
    case 'aborted':
      return failure('the daemon stopped');
    case 'not_started':
      return failure(`cannot run the command (${cause ?? 'unknown cause'})`);
  }
}

/** Named as by `loopwatch watch --exec`; the key is in the body. */
function eventVariables({ id, type, session, task, reason, body }: Message): NodeJS.ProcessEnv {
  const { data } = JSON.parse(body) as { data: { subject?: Subject } };
  return {
    LOOPWATCH_ALERT_ID: id,
    LOOPWATCH_EVENT_TYPE: type,
    LOOPWATCH_EVENT_SUBJECT: data.subject === undefined ? '' : subjectRef(data.subject),
    LOOPWATCH_EVENT_SESSION: session ?? '',
    LOOPWATCH_EVENT_TASK: task ?? '',
    LOOPWATCH_EVENT_REASON: reason ?? '',
  };
}
