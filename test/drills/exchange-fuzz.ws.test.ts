import { onEngine } from '../support/on-engine.ts';
import { testExchangeFuzz } from './exchange-fuzz.ts';

await onEngine('ws', testExchangeFuzz);
