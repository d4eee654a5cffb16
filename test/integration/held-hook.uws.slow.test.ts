import { onEngine } from '../support/on-engine.ts';
import { testHeldHook } from './held-hook.ts';

await onEngine('uws', testHeldHook);
