/** The REST calls of respawn. The only place that knows their paths and how answers are wrapped. */
import type { Rest } from '$lib/client/rest.ts';
import type { RespawnConfig, RespawnConfigChange, RespawnView } from '$shared/schema/respawn.ts';

export interface RespawnStartBody {
  /** What is left out stays as it is configured. */
  config?: RespawnConfigChange;
  /** Null: until it is stopped. */
  minutes: number | null;
}

export type RespawnCommand = 'stop' | 'pause' | 'resume';

/** Null for a session that was never kept going. Throws `RequestError`, as all of these. */
export async function readRespawn(rest: Rest, session: string): Promise<RespawnView | null> {
  const { respawn } = (await rest.send('GET', pathOf(session))) as { respawn: RespawnView | null };
  return respawn;
}

/** The defaults for a session that was never configured. */
export async function readRespawnConfig(rest: Rest, session: string): Promise<RespawnConfig> {
  const { config } = (await rest.send('GET', pathOf(session, '/config'))) as {
    config: RespawnConfig;
  };
  return config;
}

export async function saveRespawnConfig(
  rest: Rest,
  session: string,
  config: RespawnConfig,
): Promise<void> {
  await rest.send('PUT', pathOf(session, '/config'), { body: config });
}

export async function startRespawn(
  rest: Rest,
  session: string,
  body: RespawnStartBody,
): Promise<void> {
  await rest.send('POST', pathOf(session, '/start'), { body });
}

export async function commandRespawn(
  rest: Rest,
  session: string,
  command: RespawnCommand,
): Promise<void> {
  await rest.send('POST', pathOf(session, `/${command}`));
}

function pathOf(session: string, tail = ''): string {
  return `/api/sessions/${encodeURIComponent(session)}/respawn${tail}`;
}
