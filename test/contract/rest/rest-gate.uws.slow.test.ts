import { onEngine } from '../../support/transport/on-engine.ts';
import { testRestGate } from './rest-gate.ts';

await onEngine('uws', testRestGate);
