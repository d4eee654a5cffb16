import { onEngine } from '../../support/transport/on-engine.ts';
import { testBehindProxy } from './behind-proxy.ts';

await onEngine('uws', testBehindProxy);
