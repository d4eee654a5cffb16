import { onEngine } from '../support/on-engine.ts';
import { testGateSecrets } from './gate-secrets.ts';

await onEngine('uws', testGateSecrets);
