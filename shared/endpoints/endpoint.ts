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
   * `null`: open to everybody who passes the Host and Origin checks. `run`: for the hooks of a
   * supervised agent alone, with the capability of its run.
   */
  role: Role | 'run' | null;
  params?: z.ZodType;
  /** The answer to parameters that nothing can have; `session_unknown` when left out. */
  unknown?: ErrorCode;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the body; without it 64 KiB. */
  maxBytes?: number;
  /** Of the answers; JSON when left out. */
  mediaType?: string;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
}
