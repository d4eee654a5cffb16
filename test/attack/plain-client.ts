import { type Answer, ApiClient } from '../support/daemon/api-client.ts';
import { sendRaw } from '../support/transport/raw-http.ts';

/**
 * The same client with a new connection for each request. The daemon may close an idle kept one at
 * the moment in which a slow machine uses it again.
 */
export class PlainClient extends ApiClient {
  override async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const lines = {
      host: new URL(this.url).host,
      connection: 'close',
      authorization: `Bearer ${this.token}`,
      'content-length': String(Buffer.byteLength(text)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await sendRaw(this.url, {
      method,
      target: path,
      headers: Object.entries(lines),
      body: text,
    });
    const decoded = Buffer.from(answer.body, 'latin1').toString();
    const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
    return {
      status: answer.status,
      body: isJson ? (JSON.parse(decoded) as Answer['body']) : { text: decoded },
    };
  }
}
