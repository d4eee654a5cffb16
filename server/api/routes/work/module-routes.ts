import type { MODULE_ENDPOINTS } from '../../../../shared/endpoints/work/module-endpoints.ts';
import type { Modules } from '../../../modules/modules.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** Task modules below the roots. */
export function moduleRoutes({
  modules,
}: {
  modules: Modules;
}): Handlers<keyof typeof MODULE_ENDPOINTS> {
  return {
    listModules: () => ({ status: 200, body: modules.list() }),
    getModule: async ({ params }) => ({ status: 200, body: await modules.get(params.id) }),
    createModule: async ({ body, ...call }) => ({
      status: 201,
      body: await modules.create(body, identityOf(call).name),
    }),
    saveModuleTarget: async ({ params, body, ...call }) => ({
      status: 200,
      body: await modules.saveTarget(params.id, body, identityOf(call).name),
    }),
  };
}
