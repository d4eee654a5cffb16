import { onEngine } from '../../support/transport/on-engine.ts';
import { testAttachKill } from './attach-kill.ts';

await onEngine('uws', testAttachKill);
