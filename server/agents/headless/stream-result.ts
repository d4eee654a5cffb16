/** The last line of a round: how it ended according to the client, and its usage. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';

/** Tokens. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

/** A tool call that was not allowed. */
export interface Denial {
  /** Id of the call. */
  id: string;
  tool: string;
  input: unknown;
}

export interface StreamResult {
  /** The only test of success: errors of the API come with `subtype: success`. */
  isError: boolean;
  subtype: string;
  /**
   * Why the client stopped, such as `completed`, `api_error`, `aborted_streaming`; '' when missing.
   */
  terminalReason: string;
  /** HTTP status of the API, or null. */
  status: number | null;
  text: string;
  /** As the client wrote them. */
  errors: string[];
  conversationId: string | null;
  usage: Usage;
  /** Of this round alone; null when the client does not report it. */
  costUsd: number | null;
  /** Of the conversation; with older clients, of this process. */
  totalCostUsd: number | null;
  durationMs: number;
  denials: Denial[];
}

const Count = z.number().nonnegative().catch(0);
const Cost = z.number().nonnegative().nullish().catch(null);
const Name = boundedText(300).nullish().catch(null);

/** From the client's JSON. Missing or malformed fields count as empty. */
export const TurnResult = z
  .object({
    type: z.literal('result'),
    is_error: z.boolean().catch(true),
    subtype: Name,
    terminal_reason: Name,
    api_error_status: z.int().nullish().catch(null),
    result: z.string().nullish().catch(null),
    errors: z.array(boundedText(4_000)).max(100).nullish().catch(null),
    session_id: Name,
    usage: z
      .object({
        input_tokens: Count,
        output_tokens: Count,
        cache_creation_input_tokens: Count,
        cache_read_input_tokens: Count,
      })
      .nullish()
      .catch(null),
    total_cost_usd: Cost,
    model_usage_since_last_result: z
      .record(z.string(), z.object({ costUSD: Cost }))
      .nullish()
      .catch(null),
    duration_ms: Count,
    permission_denials: z
      .array(
        z.object({
          tool_use_id: boundedText(300).catch(''),
          tool_name: boundedText(300),
          tool_input: z.unknown(),
        }),
      )
      .max(10_000)
      .nullish()
      .catch(null),
  })
  .transform((line) => ({
    type: line.type,
    result: {
      isError: line.is_error,
      subtype: line.subtype ?? '',
      terminalReason: line.terminal_reason ?? '',
      status: line.api_error_status ?? null,
      text: line.result ?? '',
      errors: line.errors ?? [],
      conversationId: line.session_id ?? null,
      usage: {
        inputTokens: line.usage?.input_tokens ?? 0,
        outputTokens: line.usage?.output_tokens ?? 0,
        cacheCreationTokens: line.usage?.cache_creation_input_tokens ?? 0,
        cacheReadTokens: line.usage?.cache_read_input_tokens ?? 0,
      },
      costUsd: costOf(line.model_usage_since_last_result ?? null),
      totalCostUsd: line.total_cost_usd ?? null,
      durationMs: line.duration_ms,
      denials: (line.permission_denials ?? []).map(({ tool_use_id, tool_name, tool_input }) => ({
        id: tool_use_id,
        tool: tool_name,
        input: tool_input,
      })),
    } satisfies StreamResult,
  }));

function costOf(
  models: Record<string, { costUSD?: number | null | undefined }> | null,
): number | null {
  if (models === null) return null;
  return Object.values(models).reduce((sum, { costUSD }) => sum + (costUSD ?? 0), 0);
}
