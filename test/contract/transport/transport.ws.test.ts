import { onEngine } from '../../support/transport/on-engine.ts';
import { testBodies } from './transport-bodies.ts';
import { testHeads } from './transport-heads.ts';
import { testListening } from './transport-listening.ts';
import { testPeers } from './transport-peers.ts';
import { testTransport } from './transport.ts';

await onEngine('ws', testTransport);
await onEngine('ws', testBodies);
await onEngine('ws', testPeers);
await onEngine('ws', testListening);
await onEngine('ws', testHeads);
