import type { CLIENT_HOOKS_ENDPOINTS } from '../../../../shared/endpoints/sessions/client-hooks-endpoints.ts';
import type { ClientHooks } from '../../../client-hooks/client-hooks.ts';
import type { Handlers } from '../../endpoint-handler.ts';

/** Hooks in the user's own settings of the client. */
export function clientHooksRoutes(
  hooks: ClientHooks,
): Handlers<keyof typeof CLIENT_HOOKS_ENDPOINTS> {
  return {
    getClientHooks: async () => ({ status: 200, body: await hooks.status() }),
    changeClientHooks: async ({ body: { action, mark } }) => ({
      status: 200,
      body: await hooks[action](mark ?? null),
    }),
  };
}
