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
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the answers; JSON when left out. */
  mediaType?: string;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
}
