import { onEngine } from '../support/on-engine.ts';
import { testFrameLimits } from './frame-limits.ts';

await onEngine('uws', testFrameLimits);
