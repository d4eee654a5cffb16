import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** What a sender must send, as JSON Schema without its dialect line. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
