import { onEngine } from '../support/on-engine.ts';
import { testMetricsClients } from './metrics-clients.ts';

await onEngine('ws', testMetricsClients);
