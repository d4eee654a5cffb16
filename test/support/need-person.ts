import type { AgentState } from '../../shared/agent-state.ts';
import type { AgentRequest } from '../../shared/attention.ts';
import type { Daemon } from '../../server/daemon.ts';

/** What the real client sent for a command that needed permission. */
export const BASH_REQUEST: AgentRequest = {
  tool: 'Bash',
  input: { command: 'touch made-by-stub.txt', description: 'Run a stub command' },
  questions: [],
};

/** Takes what differs; gives a state as a monitor would see it. */
export function agentState(differs: Partial<AgentState>): AgentState {
  return {
    ...{ state: 'ready', cause: 'none', detail: null, witness: 'record', until: null },
    since: '2026-01-01T00:00:00.000Z',
    ...differs,
  };
}

/** Raises an item that can be answered and one that cannot; gives their ids. */
export function needPerson({ attention }: Pick<Daemon, 'attention'>): {
  asked: string;
  noted: string;
} {
  void attention.ask('asking', BASH_REQUEST, new AbortController().signal);
  attention.observe('waiting', agentState({ state: 'waiting', cause: 'trust' }));
  const [asked, noted] = attention.list({ open: true, limit: 2 });
  if (asked === undefined || noted === undefined) throw new Error('nothing was raised');
  return { asked: asked.id, noted: noted.id };
}

/** What the real client sent for a question. */
export const QUESTION_REQUEST: AgentRequest = {
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which colour should the button be?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'A red button' },
          { label: 'Blue', description: 'A blue button' },
        ],
        multiSelect: false,
      },
    ],
  },
  questions: [
    {
      question: 'Which colour should the button be?',
      header: 'Colour',
      options: [
        { label: 'Red', description: 'A red button' },
        { label: 'Blue', description: 'A blue button' },
      ],
      multi_select: false,
    },
  ],
};
