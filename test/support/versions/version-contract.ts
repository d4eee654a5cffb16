/** What pages and hosts that were built from a tree expect of the answers and events of others. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';

export interface VersionContract {
  /** By name. */
  endpoints: Readonly<Record<string, Endpoint>>;
  eventTypes: readonly string[];
  eventData: (type: string) => z.ZodType;
}

/** Read from its sources, which may be of an earlier commit. */
export async function contractOf(tree: string): Promise<VersionContract> {
  const load = async (...places: string[]): Promise<unknown> => {
    const path = places.map((place) => join(tree, 'shared', place)).find(existsSync);
    if (path === undefined)
      throw new Error(`${tree} has none of shared/${places.join(', shared/')}`);
    return import(/* @vite-ignore */ path);
  };
  const { API } = (await load('endpoints/api.ts')) as { API: Record<string, Endpoint> };
  const events = (await load('schema/events/events.ts', 'schema/events.ts')) as {
    EVENT_TYPES: string[];
    eventDataSchema: (type: string) => z.ZodType;
  };
  return { endpoints: API, eventTypes: events.EVENT_TYPES, eventData: events.eventDataSchema };
}

/**
 * Each event of a type that the reader knows must be as the reader expects it; returns the types it
 * does not know.
 */
export function unknownEvents(reader: VersionContract, records: readonly string[]): string[] {
  const events = records.map((json) => JSON.parse(json) as { type: string; data: unknown });
  const [known, unknown] = [true, false].map((isKnown) =>
    events.filter(({ type }) => reader.eventTypes.includes(type) === isKnown),
  );
  for (const { type, data } of known ?? []) {
    const { error } = reader.eventData(type).safeParse(data);
    if (error !== undefined) throw new Error(`${type}: ${error.message}`);
  }
  return [...new Set((unknown ?? []).map(({ type }) => type))];
}
