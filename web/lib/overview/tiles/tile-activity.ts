import { agentText, WITNESS_TEXT } from '$shared/words/sessions/agent-text.ts';
import { EVIDENCE_TEXT } from '$shared/words/work/loop-text.ts';
import type { Tile } from './tile.ts';

export interface TileActivity {
  text: string;
  /** Since when. */
  at: string;
  /** The witness, if there is one. */
  by: string | null;
}

/** What a session does; null if it no longer exists and its loop says nothing. */
export function tileActivity({ session, reading }: Tile): TileActivity | null {
  const agent = session?.agent;
  const failure = reading?.loop.status === 'failed' ? reading.loop.stop_evidence[0] : undefined;
  if (failure) {
    return { text: 'Failed', at: failure.at, by: EVIDENCE_TEXT[failure.witness] };
  }
  if (agent) {
    const text = agentText(agent.state, agent.cause);
    return { text, at: agent.since, by: WITNESS_TEXT[agent.witness] };
  }
  if (reading?.loop.last_signal_at) {
    return { text: 'Last signal', at: reading.loop.last_signal_at, by: null };
  }
  return session && { text: 'Terminal open', at: session.created_at, by: null };
}
