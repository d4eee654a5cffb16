/** One row of the REST contract. */
import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Role } from '../requests.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`. */
  path: string;
  summary: string;
  /** `null`: open to everybody who passes the Host and Origin checks. */
  role: Role | null;
  params?: z.ZodType;
  /** The answer to parameters that nothing can have; `session_unknown` when left out. */
  unknown?: ErrorCode;
  query?: z.ZodType;
  body?: z.ZodType;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
}
