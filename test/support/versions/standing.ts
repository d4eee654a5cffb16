/** What a host has that an update must keep. */
import type { VersionHost } from './version-host.ts';

/** Each list, and what of its items no clock and no turn of an agent changes; none: all of it. */
const KEPT: readonly { path: string; list: string | null; keys: readonly string[] }[] = [
  { path: '/api/sessions', list: 'sessions', keys: ['name', 'cwd', 'terminal', 'created_at'] },
  { path: '/api/people', list: 'people', keys: ['id', 'name', 'role', 'created_at'] },
  { path: '/api/attention?state=all', list: 'items', keys: ['id', 'session', 'outcome', 'by'] },
  { path: '/api/v1/prompts?limit=1000', list: null, keys: [] },
  {
    path: '/api/v1/tasks?limit=1000',
    list: null,
    keys: ['id', 'task_name', 'status', 'branch_name', 'root_folder', 'created_by', 'placed'],
  },
  { path: '/api/fleet/claims', list: 'claims', keys: ['key', 'name', 'work', 'revision'] },
];

export async function standingOf(host: VersionHost): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { path, list, keys } of KEPT) {
    const { status, body } = await host.asks(host).get(path);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    const items = (list === null ? body : body[list]) as Record<string, unknown>[];
    found[path] = items.map((item) =>
      keys.length === 0 ? item : Object.fromEntries(keys.map((key) => [key, item[key]])),
    );
  }
  return found;
}

/** All events of its log, oldest first. */
export async function logOf(host: VersionHost): Promise<string[]> {
  const records: string[] = [];
  for (let after = 0; ;) {
    const { body } = await host.asks(host).get(`/api/events?after=${after}&limit=1000`);
    const { events, next, head } = body as { events: object[]; next: number; head: number };
    records.push(...events.map((event) => JSON.stringify(event)));
    after = next;
    if (after >= head) return records;
  }
}
