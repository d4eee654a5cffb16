/** Where the conversation of a task comes from. */
import type { Rest } from '$lib/client/rest.ts';
import type { ConversationSource } from '$lib/conversation/conversation.svelte.ts';
import { isTaskEvent } from '../state/apply-task-event.ts';

export function taskTalk(rest: Rest, task: string): ConversationSource {
  return {
    read: async (query) => {
      // The page does its own grouping, because a group may continue in the next page.
      const page = await rest.call('getConversation', {
        task,
        query: { ...query, collapse_tools: 'false' },
      });
      const { conversation, total, next, previous } = page;
      const entries = conversation.filter((entry) => entry.type !== 'tool_group');
      return { entries, total, next, previous };
    },
    isGrownBy: (event) =>
      isTaskEvent(event) && event.type === 'task.interaction' && event.data.task === task,
  };
}
