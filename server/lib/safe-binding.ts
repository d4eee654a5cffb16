import { type Config, ConfigError } from './config.ts';

/** A shell for everybody on the network is never one setting away. Throws a ConfigError. */
export function requireSafeBinding({ host, behindProxy }: Config): void {
  const loopback = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  if (loopback || behindProxy) return;
  throw new ConfigError(
    `HOST=${host} is not loopback. Put a TLS proxy in front and set LOOPWATCH_BEHIND_PROXY=1 and ` +
      'LOOPWATCH_HOSTS to the name it serves, or leave HOST out.',
  );
}
