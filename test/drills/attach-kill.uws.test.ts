import { onEngine } from '../support/on-engine.ts';
import { testAttachKill } from './attach-kill.ts';

await onEngine('uws', testAttachKill);
