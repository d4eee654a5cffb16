/**
 * The types of settings, as text of the environment. Strict, because a loose reading could mean
 * something else than intended.
 */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { HostLabel } from '../../../shared/schema/fleet.ts';

/** Digits only: `0x10`, `1e3` and a space are numbers to JavaScript too. */
export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { message })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { message });
}

export function decimal(min: number, max: number) {
  const message = `must be a number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}(\.\d{1,6})?$/, { message })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { message });
}

export const Milliseconds = whole(1, 86_400_000);

function list(separator: string) {
  return z.string().transform((text) => text.split(separator).filter((item) => item !== ''));
}

/** One pause per attempt, in milliseconds. */
export function delays() {
  return list(',').pipe(z.array(Milliseconds));
}

export const Directory = z.string().refine(isAbsolute, { message: 'must be an absolute path' });

/** A relative one would depend on where the daemon was started. */
export const Directories = list(':').pipe(
  z.array(Directory).min(1, { message: 'must list at least one directory' }),
);

/**
 * A scheme, a path or a pattern would never match what a browser sends, so it is refused at the
 * start.
 */
export const Hosts = list(',').pipe(
  z.array(
    z.string().regex(/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i, {
      message: 'must be host or host:port, without https:// and without a path',
    }),
  ),
);

export const WebAddress = z.url({
  protocol: /^https?$/,
  message: 'must be an http:// or https:// URL',
});

export const NatsAddress = z.url({
  protocol: /^(nats|tls)$/,
  message: 'must be a nats:// or tls:// URL',
});

/** Of one server, or of those of a cluster. */
export const NatsAddresses = z
  .string()
  .refine((text) => text.split(',').every((each) => NatsAddress.safeParse(each).success), {
    message: 'must be nats:// or tls:// URLs with commas between them',
  });

export const HostLabels = list(',').pipe(z.array(HostLabel).max(32));

/** `*.` stands for every host below a domain. */
export const HostPatterns = list(',').pipe(
  z.array(
    z.string().regex(/^(\*\.)?[\w.-]+(:\d{1,5})?$/, {
      message: 'must be host, host:port or *.domain, without https:// and without a path',
    }),
  ),
);

/** It is sent in a header. Its message never includes it. */
export const Token = z.string().regex(/^[\x21-\x7e]{16,512}$/, {
  message: 'must be 16 to 512 characters of ASCII without spaces',
});

/** Typed into a shell, where a control character would be a key. */
export const Line = z
  .string()
  .regex(/^\P{Cc}+$/u, { message: 'must be one line without control characters' });

/** The daemon's own token stays with the daemon. */
export const PassedNames = list(',').pipe(
  z.array(
    z
      .string()
      .regex(/^[A-Za-z_]\w*$/, { message: 'must be a list of variable names' })
      .refine((name) => name !== 'LOOPWATCH_TOKEN', {
        message: 'must not include LOOPWATCH_TOKEN; it is never passed to terminals',
      }),
  ),
);
