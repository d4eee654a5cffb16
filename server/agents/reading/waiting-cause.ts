/** What a person is asked for. */
import type { AgentCause } from '../../../shared/schema/agents/agent-state.ts';
import { isClientView } from '../../../shared/rules/events/client-view.ts';
import type { HookFacts } from '../hooks/hook-facts.ts';
import type { TranscriptFacts } from '../records/transcript-facts.ts';
import type { ScreenReading } from '../screen/screen-reading.ts';

/** Hook and transcript name the tool at about the same time, a little before or after the record. */
const SAME_MOMENT_MS = 2_000;

const RECORDED: Readonly<Record<string, AgentCause>> = {
  'permission prompt': 'permission',
  'sandbox request': 'permission',
  'worker request': 'permission',
  'input needed': 'question',
  'goal proposal': 'question',
  'dialog open': 'dialog',
};

/** Tools that need a person whatever is allowed. */
const OF_TOOL: Readonly<Record<string, AgentCause>> = {
  ExitPlanMode: 'plan',
  AskUserQuestion: 'question',
};

interface WaitWitnesses {
  hooks: HookFacts | null;
  /** If it shows a wait too. */
  screen: ScreenReading | null;
  transcript: TranscriptFacts | null;
}

/**
 * From the record, the other witnesses and the start of the wait. Hook and transcript name the tool,
 * so they distinguish a plan and, in 2.1.197, a question from a permission; the screen distinguishes
 * dialogs.
 */
export function waitingCause(
  waitingFor: string | null,
  { hooks, screen, transcript }: WaitWitnesses,
  sinceMs: number,
): AgentCause {
  const asked = hooks?.asked ?? null;
  const recorded = waitingFor === null ? null : (RECORDED[waitingFor] ?? 'dialog');
  // A view covers the question and does not answer it.
  const covers = screen !== null && isClientView(screen.cause) && waitingFor !== null;
  const seen = screen?.state === 'waiting' && !covers ? screen.cause : null;
  const ofTool = recorded === null || recorded === 'permission' || recorded === 'question';
  const current = asked !== null && asked.atMs >= sinceMs - SAME_MOMENT_MS;
  if (current && ofTool && isToolCause(seen)) return OF_TOOL[asked.tool] ?? 'permission';
  if (seen !== null && seen !== 'dialog' && (recorded === null || ofTool || recorded === 'dialog'))
    return seen;
  const called = transcript?.called ?? null;
  const isOfCall = called !== null && called.atMs >= sinceMs - SAME_MOMENT_MS;
  if (recorded === 'permission' && isOfCall) return OF_TOOL[called.tool] ?? recorded;
  return recorded ?? seen ?? 'dialog';
}

function isToolCause(cause: AgentCause | null): boolean {
  return cause === null || ['permission', 'plan', 'question', 'dialog'].includes(cause);
}
