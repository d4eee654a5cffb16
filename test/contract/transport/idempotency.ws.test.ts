import { onEngine } from '../../support/transport/on-engine.ts';
import { testIdempotency } from './idempotency.ts';

await onEngine('ws', testIdempotency);
