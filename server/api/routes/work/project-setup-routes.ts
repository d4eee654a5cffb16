import type { ProjectSetups } from '../../../projects/project-setups.ts';
import { type Handlers, identityOf } from '../../endpoint-handler.ts';

type Names = 'listProjectSetups' | 'setProjectSetup' | 'removeProjectSetup';

/** What new worktrees of each project get; each change names the person. */
export function projectSetupRoutes({ setups }: { setups: ProjectSetups }): Handlers<Names> {
  return {
    listProjectSetups: () => ({ status: 200, body: { setups: setups.list() } }),
    setProjectSetup: async ({ body, ...call }) => ({
      status: 200,
      body: await setups.set(body, identityOf(call).name),
    }),
    removeProjectSetup: async ({ query, ...call }) => ({
      status: 200,
      body: { project: await setups.remove(query.path, identityOf(call).name) },
    }),
  };
}
