/** Sends changes with an idempotency key and reads whether the answer was given before. */
import type { ApiClient } from '../daemon/api-client.ts';

interface KeyedAnswer {
  status: number;
  replayed: string | null;
  code: string | null;
  details: Record<string, unknown>;
  body: Record<string, unknown>;
}

interface Refusal {
  error?: { code: string; details?: Record<string, unknown> };
}

export class KeyedClient {
  readonly api: ApiClient;

  constructor(api: ApiClient) {
    this.api = api;
  }

  async post(key: string | null, path: string, body: unknown): Promise<KeyedAnswer> {
    const response = await fetch(this.api.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.api.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown> & Refusal;
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      code: answer.error?.code ?? null,
      details: answer.error?.details ?? {},
      body: answer,
    };
  }
}
