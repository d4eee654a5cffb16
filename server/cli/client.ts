/** Talks to the running daemon over HTTP, typed by the contract. Finds it again for every request. */
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import type { ApiName } from '../../shared/endpoints/api.ts';
import type { RequestOf, ResponseOf } from '../../shared/endpoints/call-types.ts';
import { endpointLine, lacksParam } from '../../shared/rules/endpoint-line.ts';
import { ErrorBody, type ErrorCode } from '../../shared/schema/errors.ts';
import { systemCode } from '../lib/app-error.ts';
import { type Config, readConfig } from '../lib/config/config.ts';
import { DAEMON_FILE } from '../lib/files/daemon-file.ts';
import { parseJson } from '../lib/parse-json.ts';
import { readProcess } from '../lib/processes/process-identity.ts';
import { CliError, ExitCode, exitCodeFor } from './exit-code.ts';
import { ownCommand } from './own-command.ts';

/** Longer than a merge with its checks takes; a daemon that is silent for so long hangs. */
const SILENCE_MS = 15 * 60_000;

const TOKEN_HINT =
  'set LOOPWATCH_TOKEN to the token of the running daemon, or unset it to use the file token in LOOPWATCH_HOME';

const Issue = z.object({ field: z.string(), message: z.string() });
type Issue = z.infer<typeof Issue>;
const Issues = z.object({ issues: z.array(Issue) });

/** The daemon answered with an error; its code decides the exit code. */
export class RefusedError extends CliError {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** What was refused as invalid: its place in the body or query, and what is allowed there. */
  readonly issue: Issue | null;

  constructor({ error }: ErrorBody) {
    const { code, message, details } = error;
    const hint = code === 'unauthorized' ? `; ${TOKEN_HINT}` : '';
    super(exitCodeFor(code), `${message}${hint} (${code})`);
    this.code = code;
    this.details = details;
    this.issue = Issues.safeParse(details).data?.issues[0] ?? null;
  }
}

const DaemonFile = z.object({ url: z.url(), pid: z.int() });
export type DaemonFile = z.infer<typeof DaemonFile>;

/**
 * Gives where the daemon of this home runs, or null when none does. Throws a CliError when its file
 * cannot be read.
 */
export function findDaemon(config: Readonly<Config> = readConfig()): DaemonFile | null {
  const text = readHomeFile(config, DAEMON_FILE);
  const daemon = DaemonFile.safeParse(parseJson(text ?? '')).data ?? null;
  // A file left by kill -9: another program may have its port by now and must not get the token.
  return daemon === null || readProcess(daemon.pid) === null ? null : daemon;
}

/** Null for one that is not there. */
function readHomeFile({ home }: Readonly<Config>, name: string): string | null {
  const path = join(home, name);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const message = `${path} cannot be read (${code ?? 'unknown cause'}); run this as the user of the daemon`;
    throw new CliError(ExitCode.config, message);
  }
}

export interface Connection {
  url: string;
  token: string;
}

/** Gives where the daemon answers and with which token; throws a CliError when none runs. */
export function connection(): Connection {
  const config = readConfig();
  const daemon = findDaemon(config);
  if (daemon === null) throw notRunning(config);
  return { url: daemon.url, token: readToken(config) };
}

/** Sends one request of the contract; throws a RefusedError, or a CliError when nothing answers. */
export async function request<Name extends ApiName>(
  name: Name,
  input: RequestOf<Name>,
  signal?: AbortSignal,
): Promise<ResponseOf<Name>> {
  const text = await textOf(await send(name, input, signal), signal);
  try {
    return JSON.parse(text) as ResponseOf<Name>;
  } catch {
    throw notRunning(readConfig());
  }
}

/** The same for an answer that is not JSON; gives its text. */
export async function requestText<Name extends ApiName>(
  name: Name,
  input: RequestOf<Name>,
): Promise<string> {
  return textOf(await send(name, input));
}

/** The same for a long answer: its bytes as they come. Throws a CliError when it breaks off. */
export async function requestStream<Name extends ApiName>(
  name: Name,
  input: RequestOf<Name>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return bytesOf(await send(name, input, signal), signal);
}

async function send<Name extends ApiName>(
  name: Name,
  input: RequestOf<Name>,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const { url: base, token } = connection();
  const { params, query, body } = input as Partial<
    Record<'params' | 'query' | 'body', Record<string, string | undefined>>
  >;
  if (lacksParam(name, params)) throw new CliError(ExitCode.usage, 'the name or id is empty');
  const { method, target } = endpointLine(name, params, query);
  const url = new URL(target, base);
  const response = await exchange(url, { method, token, body, signal });
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300) return response;
  const refusal = readRefusal(await textOf(response, signal));
  if (refusal !== null) throw new RefusedError(refusal);
  const message = `${base} answered with HTTP status ${status}, not a Loopwatch error; check for a proxy or another program at this address`;
  throw new CliError(ExitCode.failed, message);
}

interface Sent {
  method: string;
  token: string;
  body: unknown;
  signal: AbortSignal | undefined;
}

/** Not with `fetch`: loading it takes longer than the rest of most commands. */
async function exchange(url: URL, { method, token, body, signal }: Sent): Promise<IncomingMessage> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const headers = { authorization: `Bearer ${token}`, ...content };
  try {
    return await new Promise((resolve, reject) => {
      // A connection of its own: one that is kept may belong to a daemon that has ended.
      const options = { method, headers, signal, agent: false, timeout: SILENCE_MS };
      const outgoing = requestHttp(url, options, (response) => {
        outgoing.setTimeout(0);
        resolve(response);
      });
      outgoing.on('timeout', () => outgoing.destroy());
      outgoing.on('error', reject).end(text);
    });
  } catch (error) {
    throw brokenOff(error, signal);
  }
}

async function textOf(response: IncomingMessage, signal?: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytesOf(response, signal)) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function* bytesOf(
  response: IncomingMessage,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* response as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw brokenOff(error, signal);
  }
}

/** An answer that breaks off comes from no daemon that runs. */
function brokenOff(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? (signal.reason ?? error) : notRunning(readConfig());
}

function readRefusal(text: string): ErrorBody | null {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function readToken(config: Readonly<Config>): string {
  const token = config.token ?? readHomeFile(config, 'token')?.trim();
  if (token === undefined) throw notRunning(config);
  return token;
}

/** The error of every command that needs a daemon. */
export function notRunning({ home }: Readonly<Config>): CliError {
  const message = `no daemon is running on ${home}; start it with: ${ownCommand('start')}`;
  return new CliError(ExitCode.notRunning, message);
}
