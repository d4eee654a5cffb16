/** Sessions of agents' clients that were not started by Loopwatch: seen, never touched. */
import { z } from 'zod';
import { AgentState } from './agent-state.ts';
import { UsageFigures } from '../usage/usage.ts';

/** The pid of its process and when that started; for Codex then its conversation. */
export const FoundId = z.string().regex(/^[\w-]{1,100}$/);

/** The client of its agent. Events from before others were found have none: Claude Code. */
export const FoundClient = z.enum(['claude', 'codex', 'gemini']);
export type FoundClient = z.infer<typeof FoundClient>;

/** Where a person would look for it. */
export const FoundPlace = z.enum(['tmux', 'terminal', 'editor', 'background', 'print', 'unknown']);
export type FoundPlace = z.infer<typeof FoundPlace>;

/** What everyone may see: from its record, its process and the repository, not from its transcript. */
const Facts = {
  client: FoundClient.default('claude'),
  /** Changes with `/clear`; null when its record names none. */
  conversation: z.string().nullable(),
  cwd: z.string(),
  /** The repository its directory is in, else that directory. */
  project: z.string(),
  /** Null outside of a repository, and without one checked out. */
  branch: z.string().nullable(),
  place: FoundPlace,
  /** When its transcript was last seen to grow while it worked; null: not yet. */
  active_at: z.iso.datetime().nullable().default(null),
};

/** The data of its events. `agent` has no detail: that may be text of its transcript. */
export const FoundFacts = z.object({ found: FoundId, ...Facts, agent: AgentState });
export type FoundFacts = z.infer<typeof FoundFacts>;

/** Read from its transcript: for operators, unless a setting shows it to everyone. */
export const FoundTranscript = z.object({
  model: z.string().nullable(),
  /** Tokens of the last request. */
  context_tokens: z.int().nullable(),
  /** The last tool it called, and what the call was about. */
  call: z
    .object({ tool: z.string(), subject: z.string().nullable(), at: z.iso.datetime().nullable() })
    .nullable(),
  /** The step of its own list it works on. */
  todo: z.string().nullable(),
});
export type FoundTranscript = z.infer<typeof FoundTranscript>;

export const FoundSession = z.object({
  id: FoundId,
  pid: z.int(),
  ...Facts,
  /** Its record may take it from the conversation; null for those who may not see the transcript. */
  name: z.string().nullable(),
  /** Of its client. */
  version: z.string().nullable(),
  /** Its terminal, such as `pts/3`; null without one. */
  tty: z.string().nullable(),
  /** The socket of the user's tmux and the pane; null elsewhere. */
  tmux: z.object({ socket: z.string(), pane: z.string() }).nullable(),
  /** Its id among the client's background sessions; null elsewhere. */
  job: z.string().nullable(),
  /** Such as `vscode`; null elsewhere. */
  editor: z.string().nullable(),
  agent: AgentState,
  started_at: z.iso.datetime(),
  /** Null without a transcript, and for those who may not see it. */
  transcript: FoundTranscript.nullable(),
  /** Since it started. */
  usage: UsageFigures,
});
export type FoundSession = z.infer<typeof FoundSession>;

/** What its pane shows: text with colour codes (SGR only), one string per row. */
export const FoundScreen = z.object({
  cols: z.int(),
  rows: z.int(),
  /** Row and column of the cursor, from 0. */
  cursor: z.tuple([z.int(), z.int()]),
  lines: z.array(z.string()),
  at: z.iso.datetime(),
});
export type FoundScreen = z.infer<typeof FoundScreen>;

export const FoundSessions = z.object({
  /** False: `LOOPWATCH_FOUND=off`, or there is no home directory. */
  is_on: z.boolean(),
  sessions: z.array(FoundSession),
});
export type FoundSessions = z.infer<typeof FoundSessions>;

/** `exited`: it removed its record. `killed`: it left it behind. `ignored`: it runs, and is left alone. */
export const FoundEnd = z.enum(['exited', 'killed', 'ignored']);
export type FoundEnd = z.infer<typeof FoundEnd>;
