import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';

/** With which the client's plan mode hands over a plan. */
const PLAN_TOOL = 'ExitPlanMode';
const CALL = `[Tool use: ${PLAN_TOOL}] `;

/**
 * The plan in what an agent said in one turn: what it handed over last, else its final text. The
 * entries are the oldest first.
 */
export function agentPlan(
  entries: readonly Pick<Interaction, 'tool' | 'type' | 'content'>[],
  finalText: string,
): string {
  const handedOver = entries
    .filter(({ tool, type }) => tool === PLAN_TOOL && type === 'claude_response')
    .map(({ content }) => planIn(content.replace(CALL, '')))
    .filter((plan) => plan.trim() !== '');
  return handedOver.at(-1) ?? finalText;
}

/** A call with one text is that text, any other is JSON that may be cut. */
function planIn(input: string): string {
  if (!input.startsWith('{')) return input;
  try {
    const { plan } = JSON.parse(input) as { plan?: unknown };
    return typeof plan === 'string' ? plan : '';
  } catch {
    return '';
  }
}
