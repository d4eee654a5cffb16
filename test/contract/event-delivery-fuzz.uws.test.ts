import { testEventDeliveryFuzz } from './event-delivery-fuzz.ts';

testEventDeliveryFuzz('uws', 'its schedules do not run through yet');
