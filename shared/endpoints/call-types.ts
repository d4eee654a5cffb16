/** What a call of an endpoint takes and answers, read from the table. Types only. */
import type { z } from 'zod';
import type { API, ApiName } from './api.ts';

type Input<Name extends ApiName, Part extends 'params' | 'query' | 'body'> =
  (typeof API)[Name] extends Record<Part, z.ZodType>
    ? { [Key in Part]: z.input<(typeof API)[Name][Part]> }
    : object;

export type RequestOf<Name extends ApiName> = Input<Name, 'params'> &
  Input<Name, 'query'> &
  Input<Name, 'body'>;

export type ResponseOf<Name extends ApiName> = {
  [
    Status in keyof (typeof API)[Name]['responses']
  ]: (typeof API)[Name]['responses'][Status] extends z.ZodType<infer Body> ? Body : never;
}[keyof (typeof API)[Name]['responses']];
