import { onEngine } from '../../support/transport/on-engine.ts';
import { testPeopleLeave } from './people-leave.ts';

await onEngine('uws', testPeopleLeave);
