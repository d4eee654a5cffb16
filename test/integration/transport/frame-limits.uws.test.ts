import { onEngine } from '../../support/transport/on-engine.ts';
import { testFrameLimits } from './frame-limits.ts';

await onEngine('uws', testFrameLimits);
