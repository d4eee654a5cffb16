import type { RESPAWN_ENDPOINTS } from '../../../../shared/endpoints/work/respawn-endpoints.ts';
import type { RespawnView } from '../../../../shared/schema/loops/respawn.ts';
import type { ActionResult } from '../../../events/event-log.ts';
import type { Respawns } from '../../../respawn/respawns.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

export function respawnRoutes(respawns: Respawns): Handlers<keyof typeof RESPAWN_ENDPOINTS> {
  return {
    listRespawn: () => ({ status: 200, body: { respawns: respawns.list() } }),
    getRespawn: ({ params }) => ({ status: 200, body: respawns.get(params.id) }),
    getRespawnConfig: ({ params }) => ({ status: 200, body: respawns.config(params.id) }),
    changeRespawnConfig: ({ params, body, ...call }) => {
      const { result } = respawns.configure(params.id, body, identityOf(call).name);
      return { status: 200, body: result };
    },
    startRespawn: ({ params, body, ...call }) => {
      const { result, seq } = respawns.start(params.id, body, identityOf(call).name);
      return { status: 201, body: { ...result, seq } };
    },
    stopRespawn: ({ params, ...call }) => changed(respawns.stop(params.id, identityOf(call).name)),
    pauseRespawn: ({ params, ...call }) =>
      changed(respawns.pause(params.id, identityOf(call).name)),
    resumeRespawn: ({ params, ...call }) =>
      changed(respawns.resume(params.id, identityOf(call).name)),
    enableRespawnCheck: ({ params, body }) => changed(respawns.enableCheck(params.id, body.check)),
  };
}

function changed({ result, seq }: ActionResult<RespawnView>) {
  return { status: 200 as const, body: { ...result, seq } };
}
