import { onEngine } from '../../support/transport/on-engine.ts';
import { testSlowClient } from './slow-client.ts';

await onEngine('uws', testSlowClient);
