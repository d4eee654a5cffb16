import { onEngine } from '../support/on-engine.ts';
import { testEdgeFaults } from './edge-faults.ts';

await onEngine('uws', testEdgeFaults);
