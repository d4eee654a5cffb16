import { METRICS_MEDIA_TYPE } from '../../../shared/endpoints/metrics-endpoints.ts';
import type { DaemonStatus } from '../../../shared/schema/model.ts';
import { asyncApiDocument } from '../asyncapi.ts';
import type { Handlers } from '../endpoint-handler.ts';
import { openApiDocument } from '../openapi.ts';

/** The daemon about itself: health, state, figures for Prometheus, and its two contracts. */
export function daemonRoutes({
  version,
  status,
  metrics,
}: {
  version: string;
  status: () => Promise<DaemonStatus>;
  metrics: () => string;
}): Handlers<'health' | 'status' | 'getMetrics' | 'openapi' | 'asyncapi'> {
  return {
    health: () => ({ status: 200, body: { status: 'ok', version } }),
    status: async () => ({ status: 200, body: await status() }),
    getMetrics: () =>
      new Response(metrics(), {
        headers: { 'content-type': METRICS_MEDIA_TYPE, 'cache-control': 'no-store' },
      }),
    openapi: () => ({ status: 200, body: openApiDocument(version) }),
    asyncapi: () => ({ status: 200, body: asyncApiDocument(version) }),
  };
}
