import { onEngine } from '../../support/transport/on-engine.ts';
import { testLongPoll } from './long-poll.ts';

await onEngine('ws', testLongPoll);
