/** Where the demo is and what it shows there, from the state of its loop and its agent. Pure. */
import type { AgentState } from '$shared/schema/agent-state.ts';
import type { Loop } from '$shared/schema/model.ts';
import { DEMO_SESSION, DEMO_TASK } from '$shared/rules/demo.ts';
import type { Card } from '$lib/state/list-cards.ts';

/** In the order in which they happen. */
export const DEMO_STATIONS = ['Work', 'Stall', 'Limit', 'Question', 'Crash', 'Done'] as const;
const [WORK, STALL, LIMIT, QUESTION, CRASH, DONE] = [0, 1, 2, 3, 4, 5];

export interface DemoMoment {
  /** Index of the station; those before it are behind us. */
  station: number;
  /** True while just that happens, false on the way to the next. */
  isHere: boolean;
  text: string;
}

/** Takes a card; tells whether the demo runs in its session, or ran there last. */
export function isDemo({ name, session, reading }: Card): boolean {
  if (reading !== null) return reading.loop.agent === 'stand-in';
  return name === DEMO_SESSION && (session?.cwd.endsWith(`/${DEMO_TASK}`) ?? false);
}

/** Takes the demo's loop, null once it is over, and its agent; gives the moment. */
export function demoMoment(loop: Loop | null, agent: AgentState | null): DemoMoment {
  const here = (station: number, text: string) => ({ station, isHere: true, text });
  const after = (station: number, text: string) => ({ station, isHere: false, text });
  if (loop === null) {
    return here(
      DONE,
      'That was a night in two minutes. Each wait stands in the history and the events with its reason, and with whose word it is.',
    );
  }
  switch (loop.status) {
    case 'failed':
      return here(
        DONE,
        'The demo did not get to its end; the reason stands here with its evidence.',
      );
    case 'stopping':
      return here(
        DONE,
        'The agent has said that it is done, or was asked to stop. It counts once it is idle or gone.',
      );
    case 'quota_wait':
      return here(
        LIMIT,
        'A usage limit. The reset is known to the second and counted down, the time limit stands still, and nobody has to stay awake for it.',
      );
    case 'restart_wait':
      return here(
        CRASH,
        'The agent was killed. A shell in front and no word of an end is a crash: it is started again after a short pause.',
      );
    case 'starting':
      return loop.restart_count === 0
        ? here(WORK, 'The agent is started in a terminal of its own, and awaited there.')
        : here(CRASH, 'It is started again, in the same terminal, and goes on where it was.');
    default:
      return atWork(loop, agent, here, after);
  }
}

type Say = (station: number, text: string) => DemoMoment;

function atWork(loop: Loop, agent: AgentState | null, here: Say, after: Say): DemoMoment {
  if (loop.wait?.reason === 'permission') {
    return here(
      QUESTION,
      'The agent asks a person whether it may run a command. Allow or deny it here, with no key pressed in its terminal; after 20 seconds the demo says yes by itself.',
    );
  }
  const passed = stationsPassed(loop);
  if (passed < STALL && agent?.state === 'ready') {
    return here(
      STALL,
      'The agent asks “Shall I continue?” and stands still. Loopwatch compares its pictures: four equal ones are a stall, and a harmless question is answered, once.',
    );
  }
  switch (passed) {
    case STALL:
      return after(STALL, 'Answered with “yes”, and seen to work: only that counts as recovered.');
    case LIMIT:
      return after(LIMIT, 'The limit is over and the agent is at work again; the clock goes on.');
    case QUESTION:
      return after(
        QUESTION,
        'Answered. Real questions find you in the inbox, in the shell and by alerts.',
      );
    case CRASH:
      return after(CRASH, 'Back at work after its crash: it checks once more, merges and reports.');
    default:
      return here(
        WORK,
        'The agent works and reports each step: plan, check, execute. What it shows is live, here and in the shell.',
      );
  }
}

/** The counts of a loop outlive the page and the daemon; what a later station left shows the ones before. */
function stationsPassed(loop: Loop): number {
  const isChecked = loop.result === 'ACCEPT' || loop.step === 'merge' || loop.step === 'report';
  if (isChecked || (loop.restart_count ?? 0) > 0) return CRASH;
  if (loop.result === '(done)') return QUESTION;
  if ((loop.quota_wait_seconds ?? 0) > 0) return LIMIT;
  return (loop.recovery_count_total ?? 0) > 0 ? STALL : WORK;
}
