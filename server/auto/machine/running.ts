import type { LoopState } from './loop-state.ts';

/** The agent is at work: any wait is over. */
export function enterRunning(state: LoopState): void {
  state.status = 'running';
  state.stop = null;
  state.wait = null;
  state.dueMs = null;
  state.idleSinceMs = null;
}
