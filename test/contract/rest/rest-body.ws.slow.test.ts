import { onEngine } from '../../support/transport/on-engine.ts';
import { testRestBody } from './rest-body.ts';

await onEngine('ws', testRestBody);
