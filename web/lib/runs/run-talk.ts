/** Where the conversations of a run come from. */
import type { Rest } from '$lib/client/rest.ts';
import type { ConversationSource } from '$lib/conversation/conversation.svelte.ts';
import { isRunEvent } from './state/apply-run-event.ts';

export function runTalk(rest: Rest, run: string): ConversationSource {
  return {
    read: async (query) => {
      const page = await rest.call('getRunInteractions', { item: run, query });
      const { interactions: entries, total, next, previous } = page;
      return { entries, total, next, previous };
    },
    isGrownBy: (event) =>
      isRunEvent(event) && event.type === 'run.interaction' && event.data.run === run,
  };
}
