import { onEngine } from '../../support/transport/on-engine.ts';
import { testEdgeFaults } from './edge-faults.ts';

await onEngine('ws', testEdgeFaults);
