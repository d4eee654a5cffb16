/** One call for each row of the contract: a route without one here fails the contract tests. */
import { API, type ApiName } from '../../shared/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';

export interface ExampleCall {
  name: ApiName;
  method: Endpoint['method'];
  path: string;
  body?: object;
  /** The status of the answer when all goes well. */
  status: number;
}

/** Takes a session, a task directory and a login code; gives valid calls in an order that works. */
export function exampleCalls(
  values: { session?: string; taskDir?: string; code?: string } = {},
): ExampleCall[] {
  const { session = 'nobody', taskDir = '/nowhere', code = 'used' } = values;
  const calls: Record<ApiName, Pick<ExampleCall, 'body' | 'status'> & { query?: string }> = {
    health: { status: 200 },
    openapi: { status: 200 },
    asyncapi: { status: 200 },
    status: { status: 200 },
    createLoginCode: { status: 201 },
    login: { status: 200, body: { code } },
    createTicket: { status: 201 },
    createSession: { status: 201, body: { name: session, cwd: taskDir } },
    listSessions: { status: 200 },
    getSession: { status: 200 },
    getScreen: { status: 200 },
    resizeSession: { status: 200, body: { cols: 100, rows: 30 } },
    getScrollback: { status: 200, query: '?from=0&lines=10' },
    startRecording: { status: 201 },
    getRecordingStatus: { status: 200 },
    getRecording: { status: 200 },
    stopRecording: { status: 200 },
    sendInput: { status: 202, body: { text: 'true', submit: true } },
    startAuto: { status: 201, body: { taskDir } },
    changeLimits: { status: 200, body: { maxIterations: 30 } },
    getAuto: { status: 200 },
    listAuto: { status: 200 },
    lookupAuto: { status: 200, query: `?taskDir=${encodeURIComponent(taskDir)}` },
    listEvents: { status: 200, query: '?after=0&limit=1000&types=auto.*,session.created&wait=0' },
    streamEvents: { status: 200, query: '?after=0' },
    stopAuto: { status: 202 },
    startDemo: { status: 201 },
    deleteSession: { status: 202 },
  };
  return (Object.keys(calls) as ApiName[]).map((name) => {
    const { query = '', ...rest } = calls[name];
    const { method, path } = API[name];
    return { name, method, path: path.replace(':id', session) + query, ...rest };
  });
}
