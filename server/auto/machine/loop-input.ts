/** The inputs of the auto loop's machine. */
import type { AutoSignal } from '../../../shared/schema/loops/auto-signal.ts';
import type { Delivery } from '../../../shared/schema/attention/delivery.ts';
import type { RecoveryCause, SignalRejection } from '../../../shared/schema/loops/auto-events.ts';
import type { LoopChecked } from '../../../shared/schema/loops/loop-check.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { RoundTrace } from '../../supervision/no-progress.ts';
import type {
  AgentObservation,
  ScreenObservation,
} from '../../supervision/terminal/terminal-agent.ts';

/** `unknown`: the file system did not answer in time. */
export type TaskDirStatus = 'same' | 'gone' | 'replaced' | 'unknown';

/** One observation of a loop's agent and directory. */
export interface ObservationInput extends AgentObservation {
  kind: 'observed';
  taskDir: TaskDirStatus;
  taskStatus: string | null;
  /** The quota gate lets this loop try now. */
  mayTry: boolean;
}

/** The screen at the heartbeat. */
export interface SnapshotInput extends ScreenObservation {
  kind: 'snapshot';
}

export type LoopInput = { ageMs: number; wallMs: number; budget: BudgetHold | null } & (
  | { kind: 'tick' }
  | { kind: 'agent_seen'; process: { pid: number; startedAt: string } }
  | { kind: 'launch_failed'; reason: Reason; error: string }
  | { kind: 'signal'; signal: AutoSignal; suspicious: boolean; mark: string }
  | { kind: 'signal_rejected'; cause: SignalRejection; detail: string; mark: string }
  | ObservationInput
  | SnapshotInput
  | { kind: 'typed'; cause: RecoveryCause | 'check'; delivery: Delivery; detail: string | null }
  | { kind: 'terminal_gone'; how: 'closed' | 'lost' | 'requested' }
  | { kind: 'check_begun'; commands: string[] }
  /** Null: the end of this loop is not checked. */
  | { kind: 'checked'; result: LoopChecked | null }
  /** What the last report left behind; null: unknown. */
  | { kind: 'measured'; trace: RoundTrace | null }
  | { kind: 'stop_file_failed'; detail: string }
  /**
   * Every process of the run was ended; `error` describes what is left of it, null when nothing is.
   */
  | { kind: 'run_ended'; error: string | null }
  | { kind: 'stop'; reason: Reason; by: 'person' | 'daemon'; author?: string }
  /** A stop file that the daemon did not write; `says` is the reason in it. */
  | { kind: 'stop_file_seen'; says: string }
  | { kind: 'limits'; maxIterations?: number; timeoutMinutes?: number; author?: string }
  | { kind: 'abandon'; reason: Reason; error: string }
  | { kind: 'remove' }
);

/** An input before it is stamped with its time. */
export type UnstampedInput = LoopInput extends infer Input
  ? Input extends LoopInput
    ? Omit<Input, 'ageMs' | 'wallMs' | 'budget'>
    : never
  : never;
