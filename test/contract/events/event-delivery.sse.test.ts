import { testEventDelivery } from './event-delivery.ts';

testEventDelivery('sse', 'invalid_query', 'ws');
