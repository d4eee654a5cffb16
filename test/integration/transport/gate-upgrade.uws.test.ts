import { onEngine } from '../../support/transport/on-engine.ts';
import { testGateUpgrade } from './gate-upgrade.ts';

await onEngine('uws', testGateUpgrade);
