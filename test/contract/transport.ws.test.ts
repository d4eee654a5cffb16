import { onEngine } from '../support/on-engine.ts';
import { testTransport } from './transport.ts';

await onEngine('ws', testTransport);
