import { onEngine } from '../support/on-engine.ts';
import { testIdempotency } from './idempotency.ts';

await onEngine('uws', testIdempotency);
