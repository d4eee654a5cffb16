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

/** What one model used. */
export interface ModelUsage {
  model: string;
  usage: Usage;
  /** As the client reports it; null when it does not. */
  costUsd: number | null;
  /** Tokens that fit into its context; absent where the client does not say so. */
  contextWindow?: number;
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
  /** Of this round alone, subagents included; null when the client does not report it. */
  models: ModelUsage[] | null;
  /** Of the process, by clients that do not report `models`; else null. */
  processModels: ModelUsage[] | null;
  durationMs: number;
  denials: Denial[];
}

const Count = z.number().nonnegative().catch(0);
const Cost = z.number().nonnegative().nullish().catch(null);
const Name = boundedText(300).nullish().catch(null);
const Models = z
  .record(
    z.string().max(200),
    z.object({
      inputTokens: Count,
      outputTokens: Count,
      cacheCreationInputTokens: Count,
      cacheReadInputTokens: Count,
      costUSD: Cost,
      contextWindow: z.number().positive().nullish().catch(null),
    }),
  )
  .transform((models) => Object.entries(models).map(([model, used]) => toModelUsage(model, used)))
  .nullish()
  .catch(null);

/** Tokens as the client names them, in its results and with each message. */
export const ClientUsage = z
  .object({
    input_tokens: Count,
    output_tokens: Count,
    cache_creation_input_tokens: Count,
    cache_read_input_tokens: Count,
  })
  .nullish()
  .catch(null);

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
    usage: ClientUsage,
    total_cost_usd: Cost,
    modelUsage: Models,
    model_usage_since_last_result: Models,
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
      models: line.model_usage_since_last_result ?? null,
      processModels: line.model_usage_since_last_result == null ? (line.modelUsage ?? null) : null,
      totalCostUsd: line.total_cost_usd ?? null,
      durationMs: line.duration_ms,
      denials: (line.permission_denials ?? []).map(({ tool_use_id, tool_name, tool_input }) => ({
        id: tool_use_id,
        tool: tool_name,
        input: tool_input,
      })),
    } satisfies StreamResult,
  }));

function costOf(models: readonly ModelUsage[] | null): number | null {
  if (models === null) return null;
  return models.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
}

function toModelUsage(
  model: string,
  used: {
    inputTokens: number;
    outputTokens: number;
    cacheCreationInputTokens: number;
    cacheReadInputTokens: number;
    costUSD?: number | null | undefined;
    contextWindow?: number | null | undefined;
  },
): ModelUsage {
  const { inputTokens, outputTokens, costUSD, contextWindow } = used;
  const { cacheCreationInputTokens: cacheCreationTokens, cacheReadInputTokens: cacheReadTokens } =
    used;
  const usage = { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens };
  const window = contextWindow == null ? {} : { contextWindow };
  return { model, usage, costUsd: costUSD ?? null, ...window };
}
