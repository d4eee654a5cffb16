import type { ApiClient } from '../daemon/api-client.ts';

interface Event {
  type: string;
  subject: { kind: string; id: string };
  data: Record<string, unknown>;
}

/** All events of one type, oldest first. */
export async function eventsOf(api: ApiClient, type: string): Promise<Event[]> {
  const { body } = await api.get(`/api/events?after=0&limit=1000&types=${type}`);
  return body['events'] as Event[];
}
