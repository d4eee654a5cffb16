import type { PROMPT_ENDPOINTS } from '../../../../shared/endpoints/work/prompt-endpoints.ts';
import type { Prompts } from '../../../prompts/prompts.ts';
import type { Handlers } from '../../endpoint-handler.ts';

/** The library of prompts. */
export function promptRoutes({
  prompts,
}: {
  prompts: Prompts;
}): Handlers<keyof typeof PROMPT_ENDPOINTS> {
  return {
    createPrompt: ({ body }) => ({ status: 201, body: prompts.create(body) }),
    listPrompts: ({ query }) => ({ status: 200, body: prompts.list(query) }),
    getPrompt: ({ params }) => ({ status: 200, body: prompts.get(params.id) }),
    updatePrompt: ({ params, body }) => ({ status: 200, body: prompts.update(params.id, body) }),
    deletePrompt: ({ params }) => {
      prompts.remove(params.id);
      return { status: 200, body: { message: 'the prompt was removed' } };
    },
    usePrompt: ({ params }) => ({ status: 200, body: prompts.use(params.id) }),
  };
}
