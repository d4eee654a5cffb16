/** A socket whose person was removed: what it still sends is ignored, however slowly it closes. */
import { expect, it } from 'vitest';
import type { Identity, IdentityEnd } from '../../../server/people/identity.ts';
import {
  Connection,
  type ConnectionOptions,
  OpenConnections,
} from '../../../server/ws/connection.ts';
import { EventChannels } from '../../../server/ws/event-channels.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import { EventHome } from '../../support/events/event-home.ts';

it.each([
  ['ended', CloseCode.accessEnded],
  ['changed', CloseCode.identityChanged],
] as const)(
  'PE6 PE7 once its identity has %s a socket is closed and receives nothing',
  (how, code) => {
    using home = new EventHome();
    const hold = new AbortController();
    const calls: string[] = [];
    const attachment = {
      type: () => calls.push('typed'),
      resize: () => calls.push('resized'),
      drained: () => undefined,
      detach: () => calls.push('detached'),
    };
    const identity: Identity = { id: '1', name: 'Mia', role: 'operator', held: hold.signal };
    const options = {
      channels: new EventChannels(home.open().log, () => undefined),
      clock: home.clock,
      version: '0',
      attachments: {
        attach: () => {
          calls.push('attached');
          return attachment;
        },
      },
      screens: { join: () => undefined, leave: () => calls.push('unwatched') },
      hasSession: () => true,
      seen: () => undefined,
      connections: new OpenConnections(),
    } as unknown as ConnectionOptions;
    const peer = {
      send: () => undefined,
      sendBytes: () => undefined,
      bufferedBytes: 0,
      join: () => undefined,
      leave: () => undefined,
      close: (closed: number) => calls.push(`closed ${closed}`),
    };
    const handler = new Connection(peer, identity, options);
    const attach = JSON.stringify({ type: 'attach', session: 'web', cols: 80, rows: 24 });
    handler.message(attach);
    handler.message(JSON.stringify({ type: 'watch', session: 'web' }));
    hold.abort(how satisfies IdentityEnd);
    expect(calls).toEqual(['attached', 'unwatched', 'detached', `closed ${code}`]);
    handler.message(attach);
    handler.bytes(Buffer.from('rm -rf'));
    handler.drained();
    handler.closed();
    expect(calls).toHaveLength(4);
  },
);
