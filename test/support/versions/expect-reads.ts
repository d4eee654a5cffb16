/** Every read that a page of one version may make of a host of another, through a host between. */
import { expect } from 'vitest';
import { API } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { refusal } from '../daemon/refusal.ts';
import { exampleCalls } from '../house/example-calls.ts';
import type { ExampleValues } from '../house/example-values.ts';
import type { VersionContract } from './version-contract.ts';

const NOW: Readonly<Record<string, Endpoint>> = API;
/** Streams, and figures of the moment. */
const MOVING = ['getMetrics', 'streamEvents', 'streamTask'];

export interface Reads {
  /** Answered with what was asked for, as the page expects it. */
  shown: number;
  /** Refused as the host itself refuses them: what the example names is not there. */
  refused: number;
  /** Endpoints that the host does not have. */
  unknown: string[];
}

/** `reader`: of the page; `host`: of the host it shows, which `direct` asks without one between. */
export async function expectReads(
  { reader, host }: { reader: VersionContract; host: VersionContract },
  { through, direct }: { through: ApiClient; direct: ApiClient },
  values: ExampleValues,
): Promise<Reads> {
  const calls = new Map<string, string>(exampleCalls(values).map(({ name, path }) => [name, path]));
  const reads: Reads = { shown: 0, refused: 0, unknown: [] };
  const wrong: string[] = [];
  for (const [name, endpoint] of Object.entries(reader.endpoints)) {
    if (endpoint.method !== 'GET' || !endpoint.path.startsWith('/api/')) continue;
    if (MOVING.includes(name)) continue;
    // What was removed or moved is still asked for by pages of before.
    expect([name, NOW[name]?.method, NOW[name]?.path]).toEqual([name, 'GET', endpoint.path]);
    const path = calls.get(name) ?? '';
    const [shown, own] = [await through.get(path), await direct.get(path)];
    expect([name, shown.status]).toEqual([name, own.status]);
    if (!(name in host.endpoints)) {
      expect([name, refusal(shown)]).toEqual([name, '404 not_found']);
      reads.unknown.push(name);
    } else if (shown.status === 400) wrong.push(`${name}: ${refusal(shown)}`);
    else if (shown.status !== 200) reads.refused += 1;
    else {
      const isJson = endpoint.mediaType === undefined;
      const problem = isJson ? endpoint.responses[200]?.safeParse(shown.body).error : undefined;
      if (problem === undefined) reads.shown += 1;
      else wrong.push(`${name}: ${problem.message}`);
    }
  }
  expect(wrong).toEqual([]);
  return reads;
}
