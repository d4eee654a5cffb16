import { onEngine } from '../support/on-engine.ts';
import { testLongPoll } from './long-poll.ts';

await onEngine('uws', testLongPoll);
