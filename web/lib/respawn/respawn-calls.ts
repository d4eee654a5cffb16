/** The REST calls of respawn, in one place. All of them throw `RequestError`. */
import type { Rest } from '$lib/client/rest.ts';
import type { RespawnCheck } from '$shared/rules/respawn/respawn-names.ts';
import type {
  RespawnConfig,
  RespawnConfigChange,
  RespawnView,
} from '$shared/schema/loops/respawn.ts';

export type RespawnCommand = 'stop' | 'pause' | 'resume';

const COMMANDS = {
  stop: 'stopRespawn',
  pause: 'pauseRespawn',
  resume: 'resumeRespawn',
} as const satisfies Record<RespawnCommand, string>;

/** Null for a session that was neither kept going nor configured for it. */
export async function readRespawn(rest: Rest, session: string): Promise<RespawnView | null> {
  const view = await rest.call('getRespawn', { session });
  return view.runs === 0 && view.actions.length === 0 ? null : view;
}

/** The defaults for a session that was never configured. */
export async function readRespawnConfig(rest: Rest, session: string): Promise<RespawnConfig> {
  return rest.call('getRespawnConfig', { session });
}

export async function saveRespawnConfig(
  rest: Rest,
  session: string,
  change: RespawnConfigChange,
): Promise<void> {
  await rest.call('changeRespawnConfig', { session, body: change });
}

/** Without `config` it runs as it is configured; without `minutes` until it is stopped. */
export async function startRespawn(
  rest: Rest,
  session: string,
  body: { config?: RespawnConfigChange; minutes: number | null },
): Promise<void> {
  await rest.call('startRespawn', { session, body });
}

export async function commandRespawn(
  rest: Rest,
  session: string,
  command: RespawnCommand,
): Promise<void> {
  await rest.call(COMMANDS[command], { session });
}

/** Turns a check on again that errors switched off. */
export async function enableRespawnCheck(
  rest: Rest,
  session: string,
  check: RespawnCheck,
): Promise<void> {
  await rest.call('enableRespawnCheck', { session, body: { check } });
}
