/** What one conversation of the agent works with, and how a text in it ends. */
import type { DialogHost } from './screen/dialog.ts';
import type { InputLog } from './files/input-log.ts';
import type { Leave } from './leave.ts';
import type { Responsiveness } from './screen/responsiveness.ts';
import type { Hooks } from './run-hooks.ts';
import type { TalkStep } from './scenario.ts';
import type { Screen } from './screen/screen.ts';
import type { Spinner } from './screen/spinner.ts';
import type { StatusRecord } from './files/status-record.ts';

export interface AgentContext {
  screen: Screen;
  spinner: Spinner;
  record: StatusRecord;
  responsiveness: Responsiveness;
  inputLog: InputLog;
  hooks: Hooks;
  dialogs: DialogHost;
  environment: NodeJS.ProcessEnv;
  /** Milliseconds a step works when it does not say how long. */
  stepMs: number;
  /** What it does in turns that are no loop, by their number. Empty: it only says what it is. */
  talk: readonly (readonly TalkStep[])[];
  /** Begins another conversation on an empty screen. */
  renew: () => void;
  leave: Leave;
}

/** How a text ended: `after` is what the scenario wants next, `code` what an exit would report. */
export interface Outcome {
  after: 'idle' | 'exit';
  code: number;
}
