import { METRICS_MEDIA_TYPE } from '../../../shared/endpoints/metrics-endpoints.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** The daemon's figures, for Prometheus. */
export function metricsRoutes({ metrics }: { metrics: () => string }): Handlers<'getMetrics'> {
  return {
    getMetrics: () =>
      new Response(metrics(), {
        headers: { 'content-type': METRICS_MEDIA_TYPE, 'cache-control': 'no-store' },
      }),
  };
}
