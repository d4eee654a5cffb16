import { METRICS_MEDIA_TYPE } from '../../../shared/endpoints/metrics-endpoints.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { type ParsedFamily, parseExposition } from '../transport/parse-exposition.ts';

/** The metrics of one moment. */
export class Scrape {
  readonly families: ReadonlyMap<string, ParsedFamily>;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.families = parseExposition(text);
  }

  /** One sample; the name is without its prefix, the labels as written. Throws without one. */
  value(name: string, labels = ''): number {
    const found = this.families.get(`loopwatch_${name}`)?.samples.get(labels);
    if (found === undefined) throw new Error(`there is no loopwatch_${name}{${labels}}`);
    return found;
  }

  /** All samples of a metric by the value of its one label. */
  by(name: string): Record<string, number> {
    const samples = this.families.get(`loopwatch_${name}`)?.samples ?? new Map<string, number>();
    const value = (labels: string) => /="(.*)"$/.exec(labels)?.[1] ?? labels;
    return Object.fromEntries([...samples].map(([labels, number]) => [value(labels), number]));
  }
}

/** Scrapes a daemon as Prometheus does; throws for any answer but the metrics text. */
export async function scrape({ url, token }: ApiClient): Promise<Scrape> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/plain;version=0.0.4' };
  const response = await fetch(`${url}/metrics`, { headers });
  const type = response.headers.get('content-type');
  if (response.status !== 200 || type !== METRICS_MEDIA_TYPE) {
    throw new Error(`${response.status} ${type ?? ''}`);
  }
  return new Scrape(await response.text());
}
