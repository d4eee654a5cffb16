import type { EventDraft } from '../../../shared/events.ts';
import type { Interaction } from '../../../shared/tasks/interaction.ts';

const PREVIEW = 300;

/** Takes an interaction as it is stored; gives what the log says of it. */
export function interactionEvent(task: string, interaction: Interaction): EventDraft {
  const { id, type, turn, tool, content, output_tokens, cost_usd } = interaction;
  const preview = content.slice(0, PREVIEW);
  const data = { task, id, type, turn, tool, preview, output_tokens, cost_usd };
  return { type: 'task.interaction', data };
}
