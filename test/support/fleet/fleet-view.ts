/** What a host says of its fleet. */
import type { ApiClient } from '../daemon/api-client.ts';

export interface FleetSeen {
  /** The code of what is wrong; null while all is well. */
  problem: string | null;
  /** The state of each host by its name. */
  states: Record<string, string>;
}

export async function fleetSeenBy(api: ApiClient): Promise<FleetSeen> {
  const { body } = await api.get('/api/hosts');
  const { hosts, problem } = body as unknown as {
    hosts: { name: string; state: string }[];
    problem: { code: string } | null;
  };
  const states = Object.fromEntries(hosts.map(({ name, state }) => [name, state]));
  return { states, problem: problem?.code ?? null };
}
