/** The moments in which something is killed: what a client does then, and how its turn is ended. */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import {
  brokenServer,
  delegate,
  hang,
  LONG_MS,
  longAnswer,
  overloaded,
  refused,
  type Reply,
  run,
  say,
  tooFast,
  usageLimit,
} from '../model/reply.ts';
import { pressKey } from '../press-key.ts';
import type { Stage } from '../stage.ts';
import { waitForLimit } from '../wait-for-limit.ts';

export interface Scenario {
  /** Permission mode of the client. */
  mode?: string;
  /** Set for the client. */
  variables?: string;
  /** Brings the client there with that prompt. Returns once the daemon shows it. */
  begin: (stage: Stage, prompt: string) => Promise<unknown>;
  /** A prompt that is sent now has to wait, or waits in the client. */
  holdsPrompts: boolean;
  /** The client may give up or ask meanwhile, and is at its prompt or a dialog then. */
  mayChange?: boolean;
  /** Ends the turn; absent where there is none, or it ends on its own. */
  finish?: (stage: Stage) => Promise<unknown>;
}

const FAR_S = 3_600;
const QUESTION = 'Which colour should the button be?';

async function interrupt(stage: Stage): Promise<void> {
  await stage.send('POST', stage.path('interrupt'));
}

/** A turn that is at work, or asks, and is stopped at the end. */
function during(shows: 'working' | 'waiting', ...replies: Reply[]): Scenario {
  return {
    begin: async (stage, prompt) => {
      stage.model.next(...replies);
      await stage.prompt(prompt);
      await stage.until('its request', () => stage.model.isAnswered);
      await stage.shows(shows);
    },
    holdsPrompts: true,
    finish: shows === 'waiting' ? async (stage) => pressKey(stage, 'Escape') : interrupt,
  };
}

/** Each try fails; a client that gives up is at its prompt. */
function failing(fail: () => Reply): Scenario {
  return {
    begin: async (stage, prompt) => {
      const asked = stage.model.prompts.length;
      stage.model.decide(fail);
      await stage.prompt(prompt);
      await stage.until('its request', () => stage.model.prompts.length > asked);
    },
    holdsPrompts: false,
    mayChange: true,
    finish: async (stage) => {
      stage.model.forget();
      // Some failures are not tried again.
      if (stage.sightings.at(-1)?.group === 'working') await interrupt(stage);
    },
  };
}

function limited(window: 'five_hour' | 'seven_day'): Scenario {
  return {
    begin: async (stage, prompt) => {
      stage.model.next(usageLimit(Math.floor(Date.now() / 1_000) + FAR_S, window));
      await stage.prompt(prompt);
      await waitForLimit(stage);
    },
    holdsPrompts: true,
    // Some versions open a dialog about it a moment later.
    mayChange: true,
  };
}

/** A short turn first; then a command of the client. */
async function answered(stage: Stage, prompt: string): Promise<void> {
  stage.model.next(say('Hello.'));
  await stage.prompt(prompt);
  await stage.until('its request', () => stage.model.isAnswered);
  await stage.shows('idle');
}

const OPTIONS = [
  { label: 'Red', description: 'A red button' },
  { label: 'Blue', description: 'A blue button' },
];
const QUESTIONS = [{ question: QUESTION, header: 'Colour', multiSelect: false, options: OPTIONS }];
const WAIT = { command: 'sleep 900', description: 'Wait', run_in_background: true };

function tool(name: string, input: object, asks: boolean): Reply {
  return { kind: 'tool', tool: name, input, asks };
}

export const SCENARIOS: Record<string, Scenario> = {
  'an idle client': { begin: answered, holdsPrompts: false },
  'an answer': during('working', longAnswer()),
  'a permission': during('waiting', run('touch asked.txt', true)),
  'a question': during('waiting', tool('AskUserQuestion', { questions: QUESTIONS }, true)),
  'a plan': {
    ...during('waiting', tool('ExitPlanMode', { plan: '# Plan\n\n1. Look\n' }, true)),
    mode: 'plan',
  },
  'an overloaded model': failing(overloaded),
  'a model that is asked too fast': failing(() => tooFast(20)),
  'a broken server': failing(brokenServer),
  'a login that is refused': {
    ...failing(refused),
    // Some versions try a refused login ten times.
    variables: 'CLAUDE_CODE_MAX_RETRIES=2',
    begin: async (stage, prompt) => {
      stage.model.decide(refused);
      await stage.prompt(prompt);
      await stage.until('an item for it', async () => {
        const { items } = (await stage.send('GET', '/api/attention')) as { items: AttentionItem[] };
        return items.some(({ reason }) => reason === 'login_needed');
      });
    },
  },
  'a five-hour limit': limited('five_hour'),
  'a weekly limit': limited('seven_day'),
  'a stream that hangs': during('working', hang()),
  'a turn that was stopped': {
    begin: async (stage, prompt) => {
      stage.model.next(longAnswer());
      await stage.prompt(prompt);
      await stage.showsText('● The agent writes');
      await interrupt(stage);
      await stage.shows('idle');
    },
    holdsPrompts: false,
  },
  'a command in the background': {
    begin: async (stage, prompt) => {
      stage.model.next(tool('Bash', WAIT, false), say('It runs.'));
      await stage.prompt(prompt);
      await stage.until('its request', () => stage.model.isAnswered);
      await stage.shows('idle');
    },
    holdsPrompts: false,
  },
  'a subagent': {
    ...during('working', delegate(), say('It looked.')),
    begin: async (stage, prompt) => {
      stage.model.next(delegate());
      stage.model.nextOfSubagent(longAnswer());
      await stage.prompt(prompt);
      await stage.until('the request of the subagent', () => stage.model.isAnswered);
      await stage.shows('working');
    },
  },
  'a conversation that is compacted': {
    begin: async (stage, prompt) => {
      await answered(stage, prompt);
      // Some versions compact no single turn.
      await answered(stage, `${prompt}, once more`);
      stage.model.summaryMs = LONG_MS;
      await stage.send('POST', stage.path('input'), { text: '/compact', submit: true });
      await stage.shows('working');
    },
    holdsPrompts: true,
    finish: async (stage) => {
      await interrupt(stage);
      await stage.showsText('❯ /compact');
      // The client puts the command back into its box, where it would hold the prompt.
      await pressKey(stage, 'C-u');
    },
  },
  'a conversation that was cleared': {
    begin: async (stage, prompt) => {
      await answered(stage, prompt);
      await stage.begins(async () => stage.prompt('/clear'));
      await stage.shows('idle');
    },
    holdsPrompts: false,
  },
};
