/** The idempotency key of a request, and the request done once with it. */
import { createHash } from 'node:crypto';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { isIdempotencyKey, KEY_HEADER, takesKey } from '../../shared/rules/idempotency.ts';
import type { Act, KeptAnswers } from '../idempotency/kept-answers.ts';
import { AppError } from '../lib/app-error.ts';
import type { Identity } from '../people/identity.ts';

/** Of the token of the home; ids of people are hexadecimal. */
const HOME = 'home';

interface KeyedCall extends Act {
  name: string;
  endpoint: Endpoint;
  request: Request;
  /** The body as it came. */
  text: string;
  identity: Identity | null;
}

/**
 * Without a key, just `perform`. The caller was let in before: a key opens nothing. Throws
 * `invalid_idempotency_key`, and what `KeptAnswers` throws.
 */
export async function keyedCall(answers: KeptAnswers, call: KeyedCall): Promise<Response> {
  const { name, endpoint, request, text, identity } = call;
  const key = endpoint.method === 'GET' ? null : request.headers.get(KEY_HEADER);
  // An engine may not pass on an empty header.
  if (key === null || key === '') return call.perform();
  if (identity === null || !takesKey(name, endpoint.method)) {
    const message =
      'this request takes no idempotency key: it is done at most once; send it without';
    throw new AppError('invalid_idempotency_key', message);
  }
  if (!isIdempotencyKey(key)) {
    const message = 'an idempotency key is 1 to 80 printable ASCII characters';
    throw new AppError('invalid_idempotency_key', message);
  }
  const { pathname, search } = new URL(request.url);
  const line = `${request.method} ${pathname}${search}\n`;
  const hash = createHash('sha256').update(line).update(text).digest('hex');
  const isSecret = endpoint.secret === true;
  return answers.once({ actor: identity.id ?? HOME, key, request: hash, isSecret }, call);
}
