import { onEngine } from '../../support/transport/on-engine.ts';
import { testExchangeFuzz } from './exchange-fuzz.ts';

await onEngine('ws', testExchangeFuzz);
