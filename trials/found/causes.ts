/**
 * What the model makes each session do, by the mark in its prompt, and when it did: the ground on
 * which the shown states are judged.
 */
import type { ModelEdge } from '../model/model.ts';
import { type Reply, run, say } from '../model/reply.ts';

export const QUESTION = 'Which colour should the button be?';

/** `long`: until it is killed. */
export type Cause = 'work' | 'long' | 'permission' | 'question';

export interface Caused {
  atMs: number;
  /** As a page says it. */
  words: string;
}

const MARK = /\[([\w-]+) (work|long|permission|question)\]/g;
const WORK_MS = 6_000;
const LONG_MS = 120_000;
const TEXT = 'The agent writes a long answer word by word, as it does. '.repeat(8);
const ASKS = {
  questions: [
    {
      question: QUESTION,
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'A red button' },
        { label: 'Blue', description: 'A blue button' },
      ],
    },
  ],
};

/** The prompt that causes it in that session. */
export function promptFor(session: string, cause: Cause): string {
  return `Play [${session} ${cause}]`;
}

/** The file that an allowed permission of that session makes. */
export function fileOf(session: string): string {
  return `allowed-${session}`;
}

export class Causes {
  readonly #sessions = new Map<Reply, string>();
  readonly #caused = new Map<string, Caused[]>();

  /** Oldest first. */
  of(session: string): readonly Caused[] {
    return this.#caused.get(session) ?? [];
  }

  /** What the model answers to a conversation. */
  readonly choose = (messages: readonly unknown[]): Reply => {
    const text = JSON.stringify(messages);
    const [, session = '', cause = 'work'] = [...text.matchAll(MARK)].at(-1) ?? [];
    const isAnswered = JSON.stringify(messages.at(-1) ?? '').includes('"tool_result"');
    // A copy each: the reply is known again when it was written.
    const reply = { ...(isAnswered ? say('That is done.') : replyTo(session, cause as Cause)) };
    this.#sessions.set(reply, session);
    if (!isAnswered) this.#note(session, 'working');
    return reply;
  };

  readonly onEdge = (edge: ModelEdge): void => {
    if (edge.edge !== 'answered') return;
    const session = this.#sessions.get(edge.reply);
    if (session === undefined) return;
    const { reply } = edge;
    if (reply.kind === 'text') this.#note(session, 'ready');
    if (reply.kind !== 'tool' || !reply.asks) return;
    this.#note(session, `waiting ${reply.tool === 'Bash' ? 'permission' : 'question'}`);
  };

  #note(session: string, words: string): void {
    const all = this.#caused.get(session) ?? [];
    all.push({ atMs: performance.now(), words });
    this.#caused.set(session, all);
  }
}

function replyTo(session: string, cause: Cause): Reply {
  if (cause === 'permission') return run(`touch ${fileOf(session)}`, true);
  if (cause === 'question') {
    return { kind: 'tool', tool: 'AskUserQuestion', input: ASKS, asks: true };
  }
  return say(TEXT, cause === 'work' ? WORK_MS : LONG_MS);
}
