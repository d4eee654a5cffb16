import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { HostName } from '../../../../shared/schema/fleet.ts';
import { NatsAddress } from '../../../lib/config/setting-types.ts';
import { usage } from '../../command-parts.ts';

/** Throws a CliError (usage), as all parsers here. */
export function parseHostName(text: string): string {
  const parsed = HostName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw usage(`"${text}" is not a name of a host: it ${parsed.error.issues[0]?.message ?? ''}`);
}

/** Address and port: `127.0.0.1:4222`, `[::1]:4222`. */
export function parseListen(text: string): string {
  const [, address = '', port = ''] = /^(?:\[([\da-f:]+)\]|[\d.]+):(\d{1,5})$/i.exec(text) ?? [];
  const host = address === '' ? text.slice(0, text.lastIndexOf(':')) : address;
  if (isIP(host) !== 0 && Number(port) > 0 && Number(port) < 65_536) return text;
  throw usage(`"${text}" is not an address and a port, e.g. 127.0.0.1:4222`);
}

export function parseAddress(text: string): string {
  const parsed = NatsAddress.safeParse(text);
  if (parsed.success && parsed.data.startsWith('tls://')) return parsed.data;
  throw usage(`"${text}" is not the address of a server with TLS, e.g. tls://build.example:4222`);
}

/** How others reach a server that listens there. */
export function addressOf(listen: string): string {
  if (!/^(0\.0\.0\.0|\[::0?\]):/.test(listen)) return `tls://${listen}`;
  throw usage(
    `${listen} means every address of this machine; pass the one that other hosts use, e.g. --address tls://build.example:${listen.split(':').at(-1) ?? ''}`,
  );
}

/** The name of this machine, as far as it can be a name of a host. */
export function ownHostName(name = hostname()): string {
  const [first = ''] = name.toLowerCase().split('.');
  const usual = first.replaceAll(/[^a-z0-9-]/g, '-').slice(0, 32);
  const parsed = HostName.safeParse(usual.replaceAll(/^-+|-+$/g, ''));
  if (parsed.success) return parsed.data;
  throw usage('the name of this machine cannot be a name of a host; pass one with --name');
}
