import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Loop } from '../../../shared/schema/model.ts';
import { until } from '../house/until.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown> & {
    error?: { code: string; message: string; details?: Record<string, unknown> };
  };
}

/** Plain HTTP as any client would send it, with the token; returns any answer. */
export class ApiClient {
  readonly url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isText = /^text\/(plain|csv)/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = text === '' ? {} : isText ? { text } : JSON.parse(text);
    return { status: response.status, body: parsed as Answer['body'] };
  }

  async get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  async openSession(name: string, cwd: string): Promise<void> {
    const { status, body } = await this.send('POST', '/api/sessions', { name, cwd });
    if (status !== 201) throw new Error(`session ${name}: ${JSON.stringify(body)}`);
  }

  async startLoop(session: string, taskDir: string, limits: object = {}): Promise<Answer> {
    return this.send('POST', `/api/sessions/${session}/task-auto`, { taskDir, ...limits });
  }

  async loop(session: string): Promise<Loop> {
    return (await this.get(`/api/sessions/${session}/task-auto`)).body as unknown as Loop;
  }

  /** Every stored event, oldest first. */
  async events(query = ''): Promise<EventRecord[]> {
    const { body } = await this.get(`/api/events?after=0&limit=1000${query}`);
    return body['events'] as EventRecord[];
  }

  /** The newest event of that type, once there is one. Any new event counts as progress. */
  async event(type: string): Promise<EventRecord> {
    let head: unknown;
    const poll = async () => {
      const { body } = await this.get(`/api/events?after=0&limit=1000&types=${type}`);
      head = body['head'];
      return (body['events'] as EventRecord[]).at(-1);
    };
    return until(type, poll, () => `event ${String(head)}`);
  }
}
