import { onEngine } from '../support/on-engine.ts';
import { testGateUpgrade } from './gate-upgrade.ts';

await onEngine('ws', testGateUpgrade);
