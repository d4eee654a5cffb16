/** Whether a found session can be continued here, and the exact reason when it cannot. Pure. */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import { agentGroup } from '../../shared/schema/agents/agent-state.ts';
import type { FoundClient } from '../../shared/schema/agents/found.ts';
import { CLIENT_TEXT } from '../../shared/words/sessions/found-text.ts';
import type { Continuation, ContinueBlock } from '../../shared/schema/agents/continuation.ts';

export interface ContinueFacts {
  client: FoundClient;
  /** Null when it is unknown, or not safe to type. */
  conversation: string | null;
  cwd: string;
  /** Null once it has ended. */
  live: {
    agent: Pick<AgentState, 'state'>;
    /** Such as `terminal pts/3`. */
    where: string;
    isInBackground: boolean;
    /** Null where its record has none. */
    job: string | null;
  } | null;
  /** Another client that has the conversation open. */
  holder: { pid: number; session: string | null } | null;
  /** Where the transcript is; `elsewhere`: below that other configuration directory. */
  transcript: 'here' | 'missing' | { elsewhere: string };
  directory: 'there' | 'gone' | 'outside_roots';
  /** Why the installed client knows no background sessions; null: it does. */
  noBackground: string | null;
}

export function decideContinuation(facts: ContinueFacts): Continuation {
  const [blocked, why] = obstacle(facts) ?? [null, null];
  const { conversation, cwd, live, holder } = facts;
  return {
    conversation,
    cwd,
    blocked,
    why,
    needs_stop: live !== null && blocked === null,
    session: holder?.session ?? null,
    no_attach: attachObstacle(facts),
  };
}

function obstacle(facts: ContinueFacts): [ContinueBlock, string] | null {
  const { client, conversation, cwd, live, holder, transcript, directory, noBackground } = facts;
  if (client !== 'claude') return ['other_client', foreign(client)];
  if (conversation === null) return ['conversation_unknown', 'its record names no conversation'];
  if (live !== null) {
    const { state } = live.agent;
    const group = agentGroup(state);
    if (group === 'working')
      return ['working', 'it is still working; wait for the end of its turn'];
    if (state === 'background')
      return ['working', 'a command it started is still running; wait for the end of it'];
    if (group === 'waiting') return ['waiting', 'it waits for a person; answer it first'];
    if (group === 'unknown') return ['unclear', 'what it does cannot be determined'];
    if (!live.isInBackground)
      return ['open', `it is still open in ${live.where}; end it there, then continue it here`];
    if (live.job === null) return ['no_stop', 'its record does not name it for claude stop'];
    if (noBackground !== null) return ['no_stop', noBackground];
  }
  if (holder !== null) {
    const where = holder.session === null ? `process ${holder.pid}` : `session ${holder.session}`;
    return ['in_use', `its conversation is open in ${where}`];
  }
  if (transcript === 'missing')
    return ['conversation_unknown', `there is no transcript of its conversation ${conversation}`];
  if (transcript !== 'here')
    return [
      'other_configuration',
      `its conversation is in ${transcript.elsewhere}, which clients in sessions of Loopwatch do not use; set CLAUDE_CONFIG_DIR for the daemon`,
    ];
  if (directory === 'gone') return ['directory_gone', `its directory ${cwd} no longer exists`];
  if (directory === 'outside_roots')
    return ['outside_roots', `its directory ${cwd} is outside of LOOPWATCH_ROOTS`];
  return null;
}

function attachObstacle(facts: ContinueFacts): string | null {
  const { client, live, noBackground, directory, cwd } = facts;
  if (client !== 'claude') return foreign(client);
  if (live === null) return 'it has ended; continue it instead';
  if (!live.isInBackground) return 'it does not run in the background';
  if (live.job === null) return 'its record does not name it for claude attach';
  if (noBackground !== null) return noBackground;
  if (directory === 'gone') return `its directory ${cwd} no longer exists`;
  return directory === 'there' ? null : `its directory ${cwd} is outside of LOOPWATCH_ROOTS`;
}

function foreign(client: FoundClient): string {
  return `it is a session of ${CLIENT_TEXT[client]}, which Loopwatch only shows; continue it where it runs`;
}
