/**
 * A push service on a real port, and the browsers behind it: what arrives is checked and decrypted
 * as RFC 8292 and RFC 8291 define, with nothing of the code that encrypted it.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushPayload } from '../../../shared/rules/push-payload.ts';
import type { SubscribeBrowser } from '../../../shared/schema/alerts/push.ts';

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class PushService {
  readonly got: ReceivedPush[] = [];
  /** What it answers: for a path, or for all others. */
  readonly statusOf = new Map<string, number>();
  status = 201;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<PushService> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const { url: path = '', headers } = request;
        service.got.push({ path, headers, body });
        response.writeHead(service.statusOf.get(path) ?? service.status).end();
      });
    });
    const service = new PushService(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return service;
  }

  /** For `LOOPWATCH_PUSH_SERVICES`. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  browser(name: string): PushBrowser {
    return new PushBrowser(`http://${this.host}`, `/push/${name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

export class PushBrowser {
  readonly path: string;
  readonly #origin: string;
  readonly #key: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(origin: string, path: string) {
    this.#origin = origin;
    this.path = path;
    this.#key.generateKeys();
  }

  subscription(label: string): SubscribeBrowser {
    const keys = {
      p256dh: this.#key.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
    };
    return { endpoint: this.#origin + this.path, keys, label };
  }

  /** Throws when it was encrypted for another browser. */
  read({ body }: Pick<ReceivedPush, 'body'>): PushPayload {
    return JSON.parse(this.decrypt(body).toString()) as PushPayload;
  }

  decrypt(body: Buffer): Buffer {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body.readUInt8(20));
    const rest = body.subarray(21 + sender.length);
    const own = this.#key.getPublicKey();
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
    const shared = this.#key.computeSecret(sender);
    const secret = hkdf(shared, this.#auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(rest.subarray(-16));
    const padded = Buffer.concat([cipher.update(rest.subarray(0, -16)), cipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2));
  }
}

/** What the header says about the sender, once its signature is right; and the key it names. */
export function senderOf({ headers }: Pick<ReceivedPush, 'headers'>): {
  claims: { aud: string; exp: number; sub: string };
  key: string;
} {
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const coordinate = (at: number) => point.subarray(at, at + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is not that of the key');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as never, key };
}

function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
