import { onEngine } from '../../support/transport/on-engine.ts';
import { testAttach } from './attach.ts';

await onEngine('uws', testAttach);
