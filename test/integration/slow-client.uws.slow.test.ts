import { onEngine } from '../support/on-engine.ts';
import { testSlowClient } from './slow-client.ts';

await onEngine('uws', testSlowClient);
