import type { DaemonStatus } from '../../../shared/schema/model.ts';
import { asyncApiDocument } from '../asyncapi.ts';
import type { Handlers } from '../endpoint-handler.ts';
import { openApiDocument } from '../openapi.ts';

/** The daemon about itself: health, state, and its two contracts. */
export function daemonRoutes({
  version,
  status,
}: {
  version: string;
  status: () => Promise<DaemonStatus>;
}): Handlers<'health' | 'status' | 'openapi' | 'asyncapi'> {
  return {
    health: () => ({ status: 200, body: { status: 'ok', version } }),
    status: async () => ({ status: 200, body: await status() }),
    openapi: () => ({ status: 200, body: openApiDocument(version) }),
    asyncapi: () => ({ status: 200, body: asyncApiDocument(version) }),
  };
}
