import { SUBPROTOCOL } from '../../shared/rules/wire.ts';
import type { Greeting } from './contender.ts';
import { END_OF_HEAD, upgradeRequest } from './upgrade-request.ts';

const SUBSCRIBE = JSON.stringify({ type: 'subscribe', id: 1, types: ['*'] });

/** Subscribes to every event from now on. */
export function loopwatchGreeting(port: number, token: string): Greeting {
  const headers = [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`, `Authorization: Bearer ${token}`];
  return {
    request: upgradeRequest(port, '/ws', headers),
    steps: [{ until: END_OF_HEAD, say: SUBSCRIBE }, { until: '"subscribed"' }, { until: '}' }],
  };
}
