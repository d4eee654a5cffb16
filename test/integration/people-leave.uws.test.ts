import { onEngine } from '../support/on-engine.ts';
import { testPeopleLeave } from './people-leave.ts';

await onEngine('uws', testPeopleLeave);
