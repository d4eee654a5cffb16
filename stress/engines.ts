/** The engines a daemon's edge can run on. */
import type { Transport } from '../server/transport/transport.ts';
import { wsTransport } from '../server/transport/ws-transport.ts';

export const ENGINE_NAMES = ['ws', 'uws'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Takes a name; gives the engine, or in words why it cannot run here. */
export async function loadEngine(name: EngineName): Promise<Transport | string> {
  return name === 'ws' ? wsTransport : Promise.resolve('this build has no engine uws');
}
