import { expect } from 'vitest';
import { ErrorBody, errorTraits } from '../../../shared/schema/errors.ts';

/**
 * `status code` of an error answer. Fails when the body is not exactly the published shape, or when
 * status and `retryable` are not those of the code. Task routes have the message a second time.
 */
export function refusal(answer: { status: number; body: unknown }): string {
  const body = typeof answer.body === 'string' ? (JSON.parse(answer.body) as unknown) : answer.body;
  const { error, detail } = ErrorBody.parse(body);
  const again = detail === undefined ? {} : { detail: error.message };
  expect({ body, status: answer.status }).toEqual({
    body: { error: { ...error, retryable: errorTraits(error.code).retryable }, ...again },
    status: errorTraits(error.code).status,
  });
  return `${answer.status} ${error.code}`;
}
