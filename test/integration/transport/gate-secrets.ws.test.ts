import { onEngine } from '../../support/transport/on-engine.ts';
import { testGateSecrets } from './gate-secrets.ts';

await onEngine('ws', testGateSecrets);
