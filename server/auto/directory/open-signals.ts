import { isRouted } from '../../../shared/rules/loops/loop-routing.ts';
import type { SignalProfile } from '../../../shared/rules/loops/loop-steps.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../supervision/stopwatch.ts';
import { taskDirStatus } from './control-files.ts';
import type { UnstampedInput } from '../machine/loop-input.ts';
import type { LoopState } from '../machine/loop-state.ts';
import type { SignalBounds } from './read-signal.ts';
import { SignalSource } from './signal-source.ts';

export interface OpenSignalsOptions {
  clock: Clock;
  /** The loop's own clock. */
  age: Stopwatch;
  logger: Log;
  profile: SignalProfile;
  acceptsRun: SignalBounds['acceptsRun'];
  /** Receives what a signal means to the loop. False when it could not be stored. */
  notice: (input: UnstampedInput) => boolean;
  stopHinted: () => void;
}

/** Watches for a loop's signals, from the last judged one until it is closed. */
export function openSignals(
  state: LoopState,
  { clock, age, logger, profile, acceptsRun, notice, stopHinted }: OpenSignalsOptions,
): SignalSource {
  // A directory put in the place of the loop's own is not read: the next observation ends the loop.
  const isOurs = () => taskDirStatus(state) === 'same';
  const startedAtMs = Date.parse(state.startedAt);
  return new SignalSource({
    taskDir: state.taskDir,
    // Everything written after the wall clock was set back has times from before the start.
    bounds: () => ({
      startedAtMs: Math.min(startedAtMs, clock.now() - age.ms()),
      profile,
      acceptsRun,
    }),
    judged: state.signalMark,
    clock,
    handler: {
      accepted: (signal, mark) =>
        isOurs() &&
        notice({ kind: 'signal', signal, suspicious: !isRouted(signal, profile), mark }),
      rejected: (cause, detail, mark) =>
        isOurs() && notice({ kind: 'signal_rejected', cause, detail, mark }),
      stopHinted,
      unwatched: (err) =>
        logger.warn(
          { err, session: state.sessionName },
          'cannot watch the signal file; polling it',
        ),
    },
  });
}
