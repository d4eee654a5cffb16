/** A line of a client's transcript as a witness of usage: what one message of a model used. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import type { Usage } from '../headless/stream-result.ts';
import { parseJson } from '../../lib/parse-json.ts';

export interface MessageUsage {
  /**
   * Of the message and its request. A message has several lines, and resumed and forked
   * conversations contain copies of them, all with the same key.
   */
  key: string;
  model: string;
  usage: Usage;
  /** Only older clients report it. */
  costUsd: number | null;
  /** Milliseconds since 1970. */
  atMs: number | null;
  /** How the client ran; null where it does not say. */
  entry: 'terminal' | 'headless' | null;
}

/** Every line of interest contains this; others are not parsed. */
const SIGN = '"usage"';
/** More than a message can use; the file is the agent's to write. */
const MAX_TOKENS = 1_000_000_000;
const MAX_COST_USD = 1_000_000;

const Id = z.string().min(1).max(200);
const Count = z.int().min(0).max(MAX_TOKENS).catch(0);

const Line = z.object({
  type: z.literal('assistant'),
  uuid: Id.nullish().catch(null),
  requestId: Id.nullish().catch(null),
  timestamp: z.string().max(40).nullish().catch(null),
  entrypoint: z.string().max(100).nullish().catch(null),
  costUSD: z.number().min(0).max(MAX_COST_USD).nullish().catch(null),
  message: z.object({
    id: Id.nullish().catch(null),
    model: boundedText(200).catch(''),
    usage: z
      .object({
        input_tokens: Count,
        output_tokens: Count,
        cache_creation_input_tokens: Count,
        cache_read_input_tokens: Count,
      })
      .transform((usage) => ({
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cacheCreationTokens: usage.cache_creation_input_tokens,
        cacheReadTokens: usage.cache_read_input_tokens,
      })),
  }),
});

/** Null for every other line, for invalid JSON, and for a message that used nothing. */
export function parseUsageLine(text: string): MessageUsage | null {
  if (!text.includes(SIGN)) return null;
  const { success, data: line } = Line.safeParse(parseJson(text));
  if (!success) return null;
  const { id, model, usage } = line.message;
  const message = id ?? line.uuid ?? null;
  if (message === null || Object.values(usage).every((count) => count === 0)) return null;
  const time = Date.parse(line.timestamp ?? '');
  return {
    key: `${message} ${line.requestId ?? ''}`,
    model,
    usage,
    costUsd: line.costUSD ?? null,
    atMs: Number.isNaN(time) ? null : time,
    entry: entryOf(line.entrypoint ?? null),
  };
}

function entryOf(entrypoint: string | null): MessageUsage['entry'] {
  if (entrypoint === null) return null;
  return entrypoint === 'cli' ? 'terminal' : 'headless';
}
