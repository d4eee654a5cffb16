import { onEngine } from '../../support/transport/on-engine.ts';
import { testHeldHook } from './held-hook.ts';

await onEngine('uws', testHeldHook);
