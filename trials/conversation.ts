/** One conversation through what a client does in a night; each part leaves it at its prompt. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { brokenServer, overloaded, run, say, tooFast } from './model/reply.ts';
import type { Stage } from './stage.ts';

const QUESTION = 'Which colour should the button be?';
const COLOURS = [
  { label: 'Red', description: 'A red button' },
  { label: 'Blue', description: 'A blue button' },
];
/** Long enough to be interrupted in it. */
const STREAM_MS = 4_000;
const WORDS = 'The agent writes a long answer word by word, as it does. '.repeat(8);

/** In this order; a part throws when it does not end as it should. */
export const CONVERSATION: Record<string, (stage: Stage) => Promise<void>> = {
  'an answer': async (stage) => {
    await stage.begin();
    await stage.startClient();
    stage.model.next(say('Hello.'));
    await stage.prompt('Say hello.');
    await stage.settles();
  },
  'a long answer': async (stage) => {
    stage.model.next(say(WORDS, STREAM_MS));
    await stage.prompt('Write a long answer.');
    await stage.shows('working');
    await stage.settles();
  },
  'a permission, allowed from outside': async (stage) => {
    stage.model.next(run('touch allowed.txt', true), say('It is there.'));
    await stage.prompt('Make a file.');
    await stage.answer('Bash', { decision: 'allow' });
    await stage.settles();
    if (!existsSync(join(stage.work, 'allowed.txt'))) throw new Error('the command did not run');
  },
  'a permission, denied from outside': async (stage) => {
    stage.model.next(run('touch denied.txt', true), say('I left it.'));
    await stage.prompt('Make another file.');
    await stage.answer('Bash', { decision: 'deny', message: 'Not now.' });
    // Some versions tell the model, some end the turn.
    stage.truth.isTrue('idle');
    await stage.settles();
    if (existsSync(join(stage.work, 'denied.txt'))) throw new Error('a denied command ran');
  },
  'a question, answered from outside': async (stage) => {
    const questions = [
      { question: QUESTION, header: 'Colour', multiSelect: false, options: COLOURS },
    ];
    const asks = {
      kind: 'tool',
      tool: 'AskUserQuestion',
      input: { questions },
      asks: true,
    } as const;
    stage.model.next(asks, say('Blue it is.'));
    await stage.prompt('Ask for a colour.');
    await stage.answer('AskUserQuestion', { decision: 'allow', answers: { [QUESTION]: 'Blue' } });
    await stage.settles();
    const got = stage.model.prompts.at(-1) ?? '';
    if (!got.includes('Blue')) throw new Error(`the model got: ${got.slice(0, 300)}`);
  },
  'an overloaded model': async (stage) => {
    stage.model.next(overloaded(), say('Now it worked.'));
    await stage.prompt('Try it.');
    await stage.settles();
  },
  'a model that is asked too fast': async (stage) => {
    stage.model.next(tooFast(), say('Now it worked.'));
    await stage.prompt('Try it in a moment.');
    const end = await stage.until('another try, or none', async () => {
      if (stage.model.isAnswered) return 'answered';
      return (await stage.agent())?.state === 'errored' ? 'given up' : null;
    });
    if (end === 'given up') {
      // As older clients do: they are at their prompt again.
      stage.truth.isTrue('idle');
      await stage.prompt('Try it now.');
    }
    await stage.settles();
  },
  'a broken server': async (stage) => {
    stage.model.next(brokenServer(), brokenServer(), say('Now it worked.'));
    await stage.prompt('Try it again.');
    await stage.settles();
  },
  'a turn that a person stops': async (stage) => {
    stage.model.next(say(WORDS, 10 * STREAM_MS));
    await stage.prompt('Write until I stop you.');
    // Stopped before that, the client takes the prompt back into its box.
    await stage.showsText('● The agent writes');
    await stage.send('POST', stage.path('interrupt'));
    await stage.settles();
  },
  'a command in the background': async (stage) => {
    // It only waits, which needs no permission. Its end begins a turn of its own.
    const input = { command: 'sleep 4', description: 'Wait', run_in_background: true };
    const waits = { kind: 'tool', tool: 'Bash', input, asks: false } as const;
    const asked = stage.model.prompts.length;
    stage.model.next(waits, say('It runs.'), say('It has ended.'));
    await stage.prompt('Start something long.');
    await stage.until('the end of it', () => stage.model.prompts.length >= asked + 3);
    await stage.settles();
  },
  'a subagent': async (stage) => {
    const input = {
      description: 'Look around',
      prompt: 'Look around.',
      subagent_type: 'general-purpose',
    };
    stage.model.next({ kind: 'tool', tool: 'Agent', input, asks: false }, say('It looked.'));
    stage.model.nextOfSubagent(say('All is quiet.', STREAM_MS));
    await stage.prompt('Let a subagent look around.');
    await stage.shows('working');
    await stage.settles();
  },
  'a conversation that is compacted': async (stage) => {
    await stage.prompt('/compact');
    await stage.shows('idle');
  },
  'a conversation that is cleared': async (stage) => {
    await stage.begins(async () => stage.prompt('/clear'));
    await stage.shows('idle');
  },
  'a plan, approved from outside': async (stage) => {
    await stage.restartClient('plan');
    const plan = '# Plan\n\n1. Look\n2. Leap\n';
    const shown = { kind: 'tool', tool: 'ExitPlanMode', input: { plan }, asks: true } as const;
    stage.model.next(shown, say('I looked, and leapt.'));
    await stage.prompt('Plan it.');
    await stage.answer('ExitPlanMode', { decision: 'allow' });
    await stage.settles();
  },
};
