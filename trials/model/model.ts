/**
 * A Messages API on loopback that answers as a trial has arranged, and reports each edge: the ground
 * on which the shown states are judged.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { type Reply, say } from './reply.ts';
import { writeReply } from './write-reply.ts';

/** A request of the client arrived, its reply was written, or the client left before the end of it. */
export type ModelEdge = { isSubagent: boolean } & (
  { edge: 'asked' } | { edge: 'answered'; reply: Reply } | { edge: 'left' }
);

/** Requests with fewer tools are the client's own: titles, checks of the quota. */
const FEWEST_TOOLS = 4;

/** In the first block of the system prompt. */
const SUBAGENT_MARK = 'cc_is_subagent=true';

interface Body {
  model?: string;
  system?: unknown;
  stream?: boolean;
  tools?: unknown[];
  messages?: { role: string; content: unknown }[];
}

export class Model {
  readonly #server: Server;
  #replies: Reply[] = [];
  #subagentReplies: Reply[] = [];
  #own = { text: JSON.stringify({ title: 'A trial' }), overMs: 0 };
  #choose: ((messages: readonly unknown[]) => Reply) | null = null;
  /** How long the summary of a conversation that is compacted takes. */
  summaryMs = 0;
  /** What the client has sent to its model, as text, newest last. */
  readonly prompts: string[] = [];

  constructor(onEdge: (edge: ModelEdge) => void) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response, onEdge).catch(() => response.destroy());
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds what is answered next, in order; when nothing is left, it says that it is done. */
  next(...replies: Reply[]): void {
    this.#replies.push(...replies);
  }

  /** Nothing that was arranged is left. */
  get isAnswered(): boolean {
    return this.#replies.length + this.#subagentReplies.length === 0;
  }

  /** The same for subagents. */
  nextOfSubagent(...replies: Reply[]): void {
    this.#subagentReplies.push(...replies);
  }

  /** From now on each reply that was not arranged follows from the conversation. */
  decide(choose: (messages: readonly unknown[]) => Reply): void {
    this.#choose = choose;
  }

  /** What requests with few tools or none are answered over that time: by default a title. */
  answerOwn(text: string, overMs = 0): void {
    this.#own = { text, overMs };
  }

  /** Each connection breaks; a client that still runs asks again. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  /** Nothing that was arranged is left, and a conversation is compacted in no time. */
  forget(): void {
    this.#replies = [];
    this.#subagentReplies = [];
    this.#choose = null;
    this.summaryMs = 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    onEdge: (edge: ModelEdge) => void,
  ): Promise<void> {
    const raw = await textOf(request);
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    if (path.endsWith('/count_tokens')) {
      json(response, { input_tokens: 1_500 });
      return;
    }
    if (!path.endsWith('/messages')) {
      json(response, {});
      return;
    }
    const body = JSON.parse(raw) as Body;
    const { messages = [], tools = [], model = 'model' } = body;
    const isSummary = JSON.stringify(messages.at(-1) ?? '').includes('detailed summary');
    if (tools.length < FEWEST_TOOLS && !isSummary) return ownRequest(response, body, this.#own);
    const isSubagent = JSON.stringify(body.system ?? '').includes(SUBAGENT_MARK);
    if (!isSubagent) this.prompts.push(JSON.stringify(messages.at(-1)?.content ?? ''));
    onEdge({ isSubagent, edge: 'asked' });
    const reply = isSummary
      ? { ...SUMMARY, overMs: this.summaryMs }
      : this.#nextReply(messages, isSubagent);
    const isWhole = await writeReply(response, model, reply);
    onEdge({ isSubagent, ...(isWhole ? { edge: 'answered', reply } : { edge: 'left' }) });
  }

  #nextReply(messages: readonly unknown[], isSubagent: boolean): Reply {
    const replies = isSubagent ? this.#subagentReplies : this.#replies;
    return replies.shift() ?? this.#choose?.(messages) ?? say('That is done.');
  }
}

const SUMMARY = { kind: 'text', text: '<summary>\nThe trial continues.\n</summary>' } as const;

/** A title, a check of the quota, a verdict of the daemon’s. */
async function ownRequest(
  response: ServerResponse,
  { model = '', stream }: Body,
  { text, overMs }: { text: string; overMs: number },
): Promise<void> {
  if (stream === true) {
    await writeReply(response, model, { kind: 'text', text, overMs });
    return;
  }
  json(response, {
    id: 'msg_own',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
