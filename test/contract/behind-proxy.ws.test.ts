import { onEngine } from '../support/on-engine.ts';
import { testBehindProxy } from './behind-proxy.ts';

await onEngine('ws', testBehindProxy);
