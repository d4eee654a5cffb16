/** Sessions that Loopwatch did not start, as a table. Their text is an agent's or a repository's. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { BackgroundSessions } from '../../../shared/schema/agents/background.ts';
import type { FoundSession } from '../../../shared/schema/agents/found.ts';
import { agentText } from '../../../shared/words/sessions/agent-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { activityOf, CLIENT_TEXT, placeText } from '../../../shared/words/sessions/found-text.ts';
import { tableLines } from './table.ts';

const HEAD = ['pid', 'client', 'agent', 'for', 'where', 'directory', 'branch', 'doing'];
const MAX_CELL = 200;

/** `nowMs`: wall time. */
export function foundTable(sessions: readonly FoundSession[], nowMs: number): string[] {
  return tableLines(
    HEAD,
    sessions.map((session) => [
      String(session.pid),
      CLIENT_TEXT[session.client],
      agentText(session.agent.state, session.agent.cause),
      formatDuration(Math.max(0, nowMs - Date.parse(session.agent.since)) / 1000),
      oneLine(placeText(session), MAX_CELL),
      oneLine(session.cwd, MAX_CELL),
      oneLine(session.branch ?? '-', MAX_CELL),
      oneLine(activityOf(session.transcript) ?? '-', MAX_CELL),
    ]),
  );
}

const ENDED_HEAD = ['id', 'ended', 'directory', 'name', 'last message'];

/** Those that ended in the background; empty without any. */
export function backgroundLines({ unavailable, sessions }: BackgroundSessions): string[] {
  if (unavailable !== null)
    return ['', oneLine(`Ended background sessions cannot be listed: ${unavailable}`, MAX_CELL)];
  if (sessions.length === 0) return [];
  const rows = sessions.map(({ id, state, cwd, name, result }) =>
    [id, state, cwd, name ?? '-', result ?? '-'].map((text) => oneLine(text, MAX_CELL)),
  );
  return ['', 'Ended in the background:', ...tableLines(ENDED_HEAD, rows)];
}
