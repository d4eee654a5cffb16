import { onEngine } from '../../support/transport/on-engine.ts';
import { testAttach } from './attach.ts';

await onEngine('ws', testAttach);
