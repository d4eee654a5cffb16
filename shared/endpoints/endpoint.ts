/** One row of the REST contract. */
import type { z } from 'zod';
import type { ErrorCode } from '../schema/errors.ts';
import type { Role } from '../schema/people/role.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`. */
  path: string;
  /** Older names of the same path. */
  aliases?: readonly string[];
  summary: string;
  /**
   * `null`: open to everyone who passes the Host and Origin checks. `run`: only for the hooks of a
   * supervised agent, with the capability of its run.
   */
  role: Role | 'run' | null;
  params?: z.ZodType;
  /** The error for parameters that cannot exist; `session_unknown` when omitted. */
  unknown?: ErrorCode;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the body; 64 KiB when omitted. */
  maxBytes?: number;
  /** Of the answers; JSON when omitted. */
  mediaType?: string;
  /** It types into a terminal: from another host only when this one allows that. */
  input?: true;
  /** Never answered to another host: its answer is a secret. */
  local?: true;
  /** Its answer holds a secret: it is not kept with an idempotency key. */
  secret?: true;
  /** The query of which the newest answer is kept for when this host cannot be reached. */
  copied?: string;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
}
