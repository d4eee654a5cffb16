/** Sessions that Loopwatch did not start, as a table. Their text is an agent's or a repository's. */
import { oneLine } from '../../../shared/rules/plain-text.ts';
import type { FoundSession } from '../../../shared/schema/found.ts';
import { agentText } from '../../../shared/words/agent-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { activityOf, placeText } from '../../../shared/words/found-text.ts';
import { tableLines } from './table.ts';

const HEAD = ['pid', 'agent', 'for', 'where', 'directory', 'branch', 'doing'];
const MAX_CELL = 200;

/** `nowMs`: wall time. */
export function foundTable(sessions: readonly FoundSession[], nowMs: number): string[] {
  return tableLines(
    HEAD,
    sessions.map((session) => [
      String(session.pid),
      agentText(session.agent.state, session.agent.cause),
      formatDuration(Math.max(0, nowMs - Date.parse(session.agent.since)) / 1000),
      oneLine(placeText(session), MAX_CELL),
      oneLine(session.cwd, MAX_CELL),
      oneLine(session.branch ?? '-', MAX_CELL),
      oneLine(activityOf(session.transcript) ?? '-', MAX_CELL),
    ]),
  );
}
