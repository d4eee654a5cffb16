import { loadEngine } from '../../stress/engines.ts';
import { testEventDeliveryFuzz } from './event-delivery-fuzz.ts';

testEventDeliveryFuzz('uws', await loadEngine('uws'));
