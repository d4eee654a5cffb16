/** The JSON a client passes to the command that draws its status line. */
import { z } from 'zod';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { boundedText } from '../bounded-text.ts';

const MAX_PAYLOAD_BYTES = 64 * 1024;

export interface RateLimit {
  usedPercent: number;
  /** Milliseconds since 1970. */
  resetsAtMs: number;
}

export interface StatusLine {
  /** Wall time in milliseconds at which the client wrote it; null when it is not known. */
  writtenAtMs: number | null;
  sessionId: string | null;
  model: string | null;
  modelId: string | null;
  /** Of the conversation so far, or of its process. */
  costUsd: number | null;
  contextUsedPercent: number | null;
  /** Only with subscriptions. */
  fiveHour: RateLimit | null;
  weekly: RateLimit | null;
}

const Name = boundedText(200).nullish().catch(null);
const Amount = z.number().nonnegative().nullish().catch(null);
/** Epoch seconds below the year 2200, so that they fit a date. */
const Limit = z
  .object({
    used_percentage: z.number().min(0).max(1_000),
    resets_at: z.number().min(0).max(7_258_118_400),
  })
  .transform((limit) => ({
    usedPercent: limit.used_percentage,
    resetsAtMs: limit.resets_at * 1000,
  }))
  .nullish()
  .catch(null);

const Payload = z.object({
  session_id: Name,
  model: z.object({ display_name: Name, id: Name }).nullish().catch(null),
  cost: z.object({ total_cost_usd: Amount }).nullish().catch(null),
  context_window: z.object({ used_percentage: Amount }).nullish().catch(null),
  rate_limits: z.object({ five_hour: Limit, seven_day: Limit }).nullish().catch(null),
});

/** From the file with a client's newest payload; null without one. */
export function readStatusLine(path: string | null): StatusLine | null {
  const file = path === null ? null : readHostileFile(path, MAX_PAYLOAD_BYTES);
  if (file?.kind !== 'text') return null;
  try {
    return parseStatusLine(JSON.parse(file.text), file.modifiedMs);
  } catch {
    return null;
  }
}

/** Null when the payload is invalid as a whole. A field that is wrong is null. */
export function parseStatusLine(
  payload: unknown,
  writtenAtMs: number | null = null,
): StatusLine | null {
  const { success, data } = Payload.safeParse(payload);
  if (!success) return null;
  return {
    writtenAtMs,
    sessionId: data.session_id ?? null,
    model: data.model?.display_name ?? data.model?.id ?? null,
    modelId: data.model?.id ?? null,
    costUsd: data.cost?.total_cost_usd ?? null,
    contextUsedPercent: data.context_window?.used_percentage ?? null,
    fiveHour: data.rate_limits?.five_hour ?? null,
    weekly: data.rate_limits?.seven_day ?? null,
  };
}
