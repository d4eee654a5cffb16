import { AppError } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import type { Access } from '../../people/access.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** Login codes, tokens and tickets. */
export function peopleRoutes({
  access,
  loginLink,
}: {
  access: Access;
  loginLink: (code: string) => string;
}): Handlers<'login' | 'createLoginCode' | 'createTicket'> {
  return {
    login: ({ body, source }) => ({ status: 200, body: access.login(body.code, source) }),
    createLoginCode: () => {
      const { secret, expiresAtMs } = access.createLoginCode();
      return {
        status: 201,
        body: { link: loginLink(secret), expires_at: toIso(expiresAtMs) },
      };
    },
    createTicket: ({ role }) => {
      if (role === null) throw new AppError('unauthorized', 'a valid token is needed');
      const { secret, expiresAtMs } = access.createTicket(role);
      return { status: 201, body: { ticket: secret, expires_at: toIso(expiresAtMs) } };
    },
  };
}
