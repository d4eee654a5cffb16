/** One request to a receiver. Follows no redirect and reads no more of the response than needed. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemCode } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, type Outcome, success } from './outcome.ts';
import { parseRetryAfter } from '../deliveries/retry-delay.ts';
import type { HttpRequest } from './service-request.ts';

const TIMEOUT_MS = 10_000;
/** Of the response body; a receiver that sends more is cut off. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** The shown part of it: enough for the sentence with which a receiver refuses. */
const SHOWN_BYTES = 1024;

interface SendOptions {
  clock: Clock;
  userAgent: string;
  signal: AbortSignal;
}

/** Never throws; aborting `signal` ends it at once. */
export async function sendRequest(
  { method, url, headers, body: given }: Omit<HttpRequest, 'body'> & { body: string | Buffer },
  { clock, userAgent, signal }: SendOptions,
): Promise<Outcome> {
  const body = typeof given === 'string' ? Buffer.from(given) : given;
  return new Promise((resolve) => {
    let request: ClientRequest | null = null;
    let answered: Outcome | null = null;
    const end = (outcome: Outcome) => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      resolve(outcome);
      request?.destroy();
    };
    const abort = () => end(answered ?? failure('the daemon stopped'));
    const timer = clock.after(TIMEOUT_MS, () =>
      end(answered ?? failure(`no answer within ${TIMEOUT_MS / 1000} s`)),
    );
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return abort();
    try {
      request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
        method,
        agent: false,
        headers: { ...headers, 'content-length': body.length, 'user-agent': userAgent },
      });
    } catch (error) {
      return end(failure(noConnection(error)));
    }
    request.on('error', (error) => end(answered ?? failure(noConnection(error))));
    request.on('response', (response) => {
      // The status decides; the rest is drained so that the receiver can finish.
      const outcome = outcomeOf(response, clock.now());
      answered = outcome;
      let bytes = 0;
      let start = Buffer.alloc(0);
      const finish = () =>
        end({ ...outcome, output: start.length === 0 ? null : start.toString('utf8') });
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (start.length < SHOWN_BYTES) {
          start = Buffer.concat([start, chunk]).subarray(0, SHOWN_BYTES);
        }
        if (bytes > MAX_ANSWER_BYTES) finish();
      });
      response.on('error', finish);
      response.on('close', finish);
    });
    request.end(body);
  });
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, nowMs: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return success(statusCode);
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return failure(`HTTP ${statusCode}${isRedirect ? ' (redirects are not followed)' : ''}`, {
    status: statusCode,
    gone: statusCode === 410,
    retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs),
  });
}

function noConnection(error: unknown): string {
  return `no connection (${systemCode(error) ?? 'unknown cause'})`;
}
