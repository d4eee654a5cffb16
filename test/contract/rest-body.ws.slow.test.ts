import { onEngine } from '../support/on-engine.ts';
import { testRestBody } from './rest-body.ts';

await onEngine('ws', testRestBody);
