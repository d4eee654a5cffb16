import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiClient } from '../daemon/api-client.ts';
import type { World } from '../daemon/world.ts';
import { until } from '../house/until.ts';

/** The transcript of the agent of a session, which the stand-in does not write. */
export async function transcriptOf(world: World, api: ApiClient, session: string) {
  const conversation = await until('its conversation', async () => {
    const { body } = await api.get(`/api/sessions/${session}/activity`);
    return (body['conversation'] as string | null) ?? null;
  });
  const config = world.environment['CLAUDE_CONFIG_DIR'] ?? '';
  const path = join(config, 'projects', 'somewhere', `${conversation}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  return {
    path,
    write: (...lines: string[]) => appendFileSync(path, lines.map((each) => `${each}\n`).join('')),
  };
}
