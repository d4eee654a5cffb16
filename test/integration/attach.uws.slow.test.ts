import { onEngine } from '../support/on-engine.ts';
import { testAttach } from './attach.ts';

await onEngine('uws', testAttach);
