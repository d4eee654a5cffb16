import { describe } from 'vitest';
import { onEngine } from '../../support/transport/on-engine.ts';
import { testEventDelivery } from './event-delivery.ts';

await onEngine('uws', (engine) => {
  describe('over WebSocket', () => testEventDelivery('ws', 'unknown_type', engine));
  describe('over Server-Sent Events', () => testEventDelivery('sse', 'invalid_query', engine));
  describe('over long poll', () => testEventDelivery('poll', 'invalid_query', engine));
});
