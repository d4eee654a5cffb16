import { testEventDelivery } from './event-delivery.ts';

testEventDelivery('ws', 'unknown_type', 'ws');
