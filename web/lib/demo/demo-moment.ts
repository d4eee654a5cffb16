/** The station of the demo and its text, from the state of its loop and its agent. Pure. */
import type { AgentState } from '$shared/schema/agents/agent-state.ts';
import type { Loop } from '$shared/schema/model.ts';

/** In chronological order. */
export const DEMO_STATIONS = ['Work', 'Stall', 'Limit', 'Question', 'Crash', 'Done'] as const;
const [WORK, STALL, LIMIT, QUESTION, CRASH, DONE] = [0, 1, 2, 3, 4, 5];

export interface DemoMoment {
  /** Index of the current station; earlier ones are done. */
  station: number;
  /** True while it happens, false on the way to the next. */
  isHere: boolean;
  text: string;
}

/** `loop` is null once the demo is over. */
export function demoMoment(loop: Loop | null, agent: AgentState | null): DemoMoment {
  const here = (station: number, text: string) => ({ station, isHere: true, text });
  const after = (station: number, text: string) => ({ station, isHere: false, text });
  if (loop === null) {
    return here(
      DONE,
      'That was a night in two minutes. Every wait is recorded in History and Events with its reason and evidence.',
    );
  }
  switch (loop.status) {
    case 'failed':
      return here(DONE, 'The demo did not finish. The reason and its evidence are shown here.');
    case 'stopping':
      return here(
        DONE,
        'The agent reported that it is done, or was asked to stop. That counts once it is idle or has exited.',
      );
    case 'quota_wait':
      return here(
        LIMIT,
        'A usage limit. Loopwatch counts down to the exact reset and pauses the time limit, so you can sleep through it.',
      );
    case 'restart_wait':
      return here(
        CRASH,
        'The agent was killed. A shell in the foreground without a reported end is a crash: it restarts after a short pause.',
      );
    case 'starting':
      return loop.restart_count === 0
        ? here(WORK, 'The agent is starting in its own terminal.')
        : here(CRASH, 'It restarts in the same terminal and continues where it was.');
    default:
      return atWork(loop, agent, here, after);
  }
}

type Say = (station: number, text: string) => DemoMoment;

function atWork(loop: Loop, agent: AgentState | null, here: Say, after: Say): DemoMoment {
  if (loop.wait?.reason === 'permission') {
    return here(
      QUESTION,
      'The agent asks a person whether it may run a command. Allow or deny it here, without touching its terminal. After 20 seconds the demo allows it.',
    );
  }
  const passed = stationsPassed(loop);
  if (passed < STALL && agent?.state === 'ready') {
    return here(
      STALL,
      'The agent asks “Shall I continue?” and stops. Four identical screens in a row count as a stall, and Loopwatch answers a harmless question, once.',
    );
  }
  switch (passed) {
    case STALL:
      return after(
        STALL,
        'Answered with “yes”, and the agent resumed work: only that counts as recovered.',
      );
    case LIMIT:
      return after(
        LIMIT,
        'The limit was reset, the agent is working again and the clock is running.',
      );
    case QUESTION:
      return after(
        QUESTION,
        'Answered. Real questions reach you through the inbox, the shell and alerts.',
      );
    case CRASH:
      return after(CRASH, 'Working again after the crash: it checks again, merges and reports.');
    default:
      return here(
        WORK,
        'The agent works and reports each step: plan, check, execute. Its screen is live, here and in the shell.',
      );
  }
}

/** A loop's counts survive page and daemon restarts; a later station implies the earlier ones. */
function stationsPassed(loop: Loop): number {
  const isChecked = loop.result === 'ACCEPT' || loop.step === 'merge' || loop.step === 'report';
  if (isChecked || (loop.restart_count ?? 0) > 0) return CRASH;
  if (loop.result === '(done)') return QUESTION;
  if ((loop.quota_wait_seconds ?? 0) > 0) return LIMIT;
  return (loop.recovery_count_total ?? 0) > 0 ? STALL : WORK;
}
