import { onEngine } from '../../support/transport/on-engine.ts';
import { testMetricsClients } from './metrics-clients.ts';

await onEngine('ws', testMetricsClients);
