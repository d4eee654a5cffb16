import { onEngine } from '../support/on-engine.ts';
import { testRestGate } from './rest-gate.ts';

await onEngine('uws', testRestGate);
