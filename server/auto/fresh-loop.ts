import { DEFAULT_MAX_ITERATIONS, DEFAULT_TIMEOUT_MINUTES } from '../../shared/rules/loop-limits.ts';
import type { LoopState } from './machine/loop-state.ts';

/** The state of a loop before anything has happened to it. */
export function freshLoop(
  known: Pick<LoopState, 'sessionName' | 'taskDir' | 'startedAt'> & Partial<LoopState>,
): LoopState {
  return {
    runId: '',
    startedBy: '',
    agent: 'claude',
    dirIdentity: null,
    status: 'starting',
    statusSince: known.startedAt,
    maxIterations: DEFAULT_MAX_ITERATIONS,
    timeoutMinutes: DEFAULT_TIMEOUT_MINUTES,
    permissions: null,
    iteration: 0,
    iterationBase: 0,
    restartIteration: 0,
    countUnknown: false,
    lastSignal: null,
    lastSignalAt: null,
    signalMark: '',
    launchCount: 1,
    restartCount: 0,
    agentProcess: null,
    stop: null,
    check: null,
    sentBack: 0,
    wait: null,
    ageMs: 0,
    dueMs: null,
    quota: null,
    quotaWaitTotalMs: 0,
    error: null,
    progress: null,
    recoveryCountStep: 0,
    recoveryCountTotal: 0,
    idleSinceMs: null,
    snapshot: null,
    recovering: null,
    dialogLeft: null,
    ...known,
  };
}
