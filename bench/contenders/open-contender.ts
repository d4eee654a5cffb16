import { chooseTransport } from '../../server/transport/choose-transport.ts';
import { openBareUws } from './bare-uws.ts';
import type { Contender, ContenderName } from './contender.ts';
import { openLoopwatch } from './loopwatch.ts';
import { openNaiveWs } from './naive-ws.ts';
import { openRawSse } from './raw-sse.ts';
import { openSocketIo } from './socket-io.ts';

/** The contender listens on its own port. */
export async function openContender(name: ContenderName, directory: string): Promise<Contender> {
  switch (name) {
    case 'naive-ws':
      return openNaiveWs();
    case 'socket-io':
      return openSocketIo();
    case 'sse':
      return openRawSse();
    case 'bare-uws':
      return openBareUws();
    case 'loopwatch-ws':
      return openLoopwatch(await chooseTransport('ws'), directory);
    case 'loopwatch-uws':
      return openLoopwatch(await chooseTransport('uws'), directory);
  }
}
