/** Enter on a plan, with what people do while the terminal takes its time to answer. */
import { expect, it } from 'vitest';
import { acceptPlanMenu } from '../../../server/respawn/accept-plan-menu.ts';
import { agentState } from '../../support/agents/agent-states.ts';
import { AGENT } from '../../support/auto/loop-life.ts';

const MENU = ['Would you like to proceed?', '', '❯ 1. Yes, and auto-accept edits', '  2. No'];
const PROGRAM = { ...AGENT, conversation: null };
type Parts = Parameters<typeof acceptPlanMenu>[2];

/** `meanwhile` happens before the screen is there; returns what was said and what was typed. */
async function accept(meanwhile: (people: { keys: string | null; accepts: boolean }) => void) {
  const people = { keys: null as string | null, accepts: true };
  const typed: string[] = [];
  const parts = {
    sessions: {
      exclusively: async (_: string, act: () => Promise<unknown>) => act(),
      snapshot: async () => {
        meanwhile(people);
        return Promise.resolve({ lines: MENU });
      },
      type: async (session: string) => {
        typed.push(session);
        return Promise.resolve('typed');
      },
    },
    monitor: {
      foreground: async () => Promise.resolve({ kind: 'agent', name: 'claude', program: PROGRAM }),
      agent: () => agentState({ state: 'waiting', cause: 'plan' }),
    },
    attachments: { controllerOf: () => people.keys },
    acceptsPlans: () => people.accepts,
  } as unknown as Parts;
  return { said: await acceptPlanMenu('web', PROGRAM, parts), typed };
}

it('RS20 a plan on the screen gets Enter', async () => {
  expect(await accept(() => undefined)).toEqual({ said: null, typed: ['web'] });
});

it('RS29 RS30 nothing is pressed after a stop or a pause, or while a person has the keys', async () => {
  const stopped = await accept((people) => (people.accepts = false));
  expect(stopped.typed).toEqual([]);
  expect(stopped.said).toContain('stopped, paused');
  const taken = await accept((people) => (people.keys = 'Ada'));
  expect(taken).toEqual({ said: 'a person has the keys', typed: [] });
});
