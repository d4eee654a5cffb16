/**
 * The certificate of a fleet's server, signed by an authority of its own that signs nothing else:
 * its key is not kept. Made by the program `openssl`; decision 68.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { execFile } from '../../lib/processes/exec-file.ts';
import { randomId } from '../../lib/random-id.ts';
import { MembershipError } from './membership-error.ts';

export interface Certificate {
  /** All as PEM. Hosts trust a server by `ca`. */
  ca: string;
  certificate: string;
  key: string;
}

/** Ten years: a new one needs a new invitation of every host. */
const DAYS = '3650';
const TIMEOUT_MS = 60_000;

/** `names` are the host names and addresses under which the server is reached. Throws a MembershipError. */
export async function createCertificate(
  directory: string,
  names: readonly string[],
): Promise<Certificate> {
  const scratch = mkdtempSync(join(directory, 'certificate-'));
  // No name or path of a person is among the words.
  const openssl = async (words: string) => run(scratch, words.split(' '));
  try {
    writeFileSync(join(scratch, 'openssl.cnf'), configuration(names));
    const signed = `-sha256 -days ${DAYS}`;
    const authority = '-config openssl.cnf -extensions authority -key ca.key -out ca.pem';
    const request = '-config openssl.cnf -key server.key -out server.csr';
    const issuer = `-CA ca.pem -CAkey ca.key -set_serial 0x${randomId()}`;
    const server = '-extfile openssl.cnf -extensions server -in server.csr -out server.pem';
    await openssl('ecparam -name prime256v1 -genkey -noout -out ca.key');
    await openssl('ecparam -name prime256v1 -genkey -noout -out server.key');
    await openssl(`req -x509 -new ${signed} ${authority}`);
    await openssl(`req -new -sha256 ${request}`);
    await openssl(`x509 -req ${signed} ${issuer} ${server}`);
    const read = (name: string) => readFileSync(join(scratch, name), 'utf8');
    return { ca: read('ca.pem'), certificate: read('server.pem'), key: read('server.key') };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function run(cwd: string, args: readonly string[]): Promise<void> {
  const ended = await execFile('openssl', args, { cwd, timeoutMs: TIMEOUT_MS });
  if (ended.ok) return;
  const why =
    ended.code === 'ENOENT'
      ? 'the program openssl is needed for the certificate of the server; install it and try again'
      : `openssl ${args[0] ?? ''} failed: ${ended.stderr.trim().split('\n').at(-1) ?? ''}`;
  throw new MembershipError('failed', why);
}

function configuration(names: readonly string[]): string {
  const alternatives = names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`);
  return `[req]
distinguished_name = name
prompt = no
[name]
CN = Loopwatch fleet
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = ${alternatives.join(',')}
`;
}
