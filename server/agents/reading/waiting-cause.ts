/** What a person is asked for. */
import type { AgentCause } from '../../../shared/schema/agent-state.ts';
import { isClientView } from '../../../shared/rules/client-view.ts';
import type { HookFacts } from '../hooks/hook-facts.ts';
import type { ScreenReading } from '../screen/screen-reading.ts';

/** The hook arrives at about the same time, a little before or after the record. */
const SAME_MOMENT_MS = 2_000;

const RECORDED: Readonly<Record<string, AgentCause>> = {
  'permission prompt': 'permission',
  'sandbox request': 'permission',
  'worker request': 'permission',
  'input needed': 'question',
  'goal proposal': 'question',
  'dialog open': 'dialog',
};

/**
 * From the record, the hooks, the screen if it shows a wait too, and the start of the wait. The
 * hook names the tool, so it distinguishes a plan and, in 2.1.197, a question from a permission;
 * the screen distinguishes dialogs.
 */
export function waitingCause(
  waitingFor: string | null,
  hooks: HookFacts | null,
  screen: ScreenReading | null,
  sinceMs: number,
): AgentCause {
  const asked = hooks?.asked ?? null;
  const recorded = waitingFor === null ? null : (RECORDED[waitingFor] ?? 'dialog');
  // A view covers the question and does not answer it.
  const covers = screen !== null && isClientView(screen.cause) && waitingFor !== null;
  const seen = screen?.state === 'waiting' && !covers ? screen.cause : null;
  const ofTool = recorded === null || recorded === 'permission' || recorded === 'question';
  const current = asked !== null && asked.atMs >= sinceMs - SAME_MOMENT_MS;
  if (current && ofTool && isToolCause(seen)) {
    if (asked.tool === 'ExitPlanMode') return 'plan';
    return asked.tool === 'AskUserQuestion' ? 'question' : 'permission';
  }
  if (seen !== null && seen !== 'dialog' && (recorded === null || ofTool || recorded === 'dialog'))
    return seen;
  return recorded ?? seen ?? 'dialog';
}

function isToolCause(cause: AgentCause | null): boolean {
  return cause === null || ['permission', 'plan', 'question', 'dialog'].includes(cause);
}
