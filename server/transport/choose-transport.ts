import type { TransportName } from '../../shared/schema/transport-name.ts';
import type { Transport } from './transport.ts';
import { uwsTransport } from './uws-transport.ts';
import { loadUws } from './uws/engine.ts';
import { wsTransport } from './ws-transport.ts';

/** Throws a ConfigError when the engine cannot be loaded here. */
export async function chooseTransport(name: TransportName): Promise<Transport> {
  if (name === 'ws') return wsTransport;
  await loadUws();
  return uwsTransport;
}
