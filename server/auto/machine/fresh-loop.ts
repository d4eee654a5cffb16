import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
} from '../../../shared/rules/loops/loop-limits.ts';
import { type LoopFacts, type LoopState, NOTHING, type Now } from './loop-state.ts';

const STARTING: Now = { ...NOTHING, status: 'starting' };

/** The state of a loop before anything has happened to it, or that much in another state. */
export function freshLoop(
  known: Pick<LoopFacts, 'sessionName' | 'taskDir' | 'startedAt'> & Partial<LoopFacts>,
  now: Now = STARTING,
): LoopState {
  return {
    runId: '',
    startedBy: '',
    agent: 'claude',
    dirIdentity: null,
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
    sentBack: 0,
    ageMs: 0,
    quotaWaitTotalMs: 0,
    error: null,
    progress: null,
    recoveryCountStep: 0,
    recoveryCountTotal: 0,
    snapshot: null,
    ...known,
    ...now,
  };
}
