import { onEngine } from '../../support/transport/on-engine.ts';
import { testBodies } from './transport-bodies.ts';
import { testHeads } from './transport-heads.ts';
import { testListening } from './transport-listening.ts';
import { testPeers } from './transport-peers.ts';
import { testTransport } from './transport.ts';

await onEngine('uws', testTransport);
await onEngine('uws', testBodies);
await onEngine('uws', testPeers);
await onEngine('uws', testListening);
await onEngine('uws', testHeads);
