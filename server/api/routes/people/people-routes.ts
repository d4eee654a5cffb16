import { toIso } from '../../../lib/clock.ts';
import type { Access } from '../../../people/access.ts';
import type { CreatedLink, People } from '../../../people/people.ts';
import type { PEOPLE_ENDPOINTS } from '../../../../shared/endpoints/people/people-endpoints.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** Login codes, tokens and tickets; the caller's identity, and the people of this daemon. */
export function peopleRoutes({
  access,
  people,
  loginLink,
}: {
  access: Access;
  people: People;
  loginLink: (code: string) => string;
}): Handlers<keyof typeof PEOPLE_ENDPOINTS> {
  const linkBody = ({ person, secret, expiresAt }: CreatedLink) => ({
    person,
    link: loginLink(secret),
    expires_at: expiresAt,
  });
  return {
    login: ({ body, source }) => ({ status: 200, body: access.login(body.code, source) }),
    createLoginCode: ({ request, ...call }) => {
      const authorization = request.headers.get('authorization');
      const { secret, expiresAtMs } = access.createLoginCode(authorization, identityOf(call));
      return {
        status: 201,
        body: { link: loginLink(secret), expires_at: toIso(expiresAtMs) },
      };
    },
    createTicket: (call) => {
      const { secret, expiresAtMs } = access.createTicket(identityOf(call));
      return { status: 201, body: { ticket: secret, expires_at: toIso(expiresAtMs) } };
    },
    getMe: (call) => {
      const { id, name, role } = identityOf(call);
      return { status: 200, body: { id, name, role } };
    },
    listPeople: () => ({ status: 200, body: { people: people.list() } }),
    invitePerson: ({ body, ...call }) => ({
      status: 201,
      body: linkBody(people.invite(body.name, body.role, identityOf(call).name)),
    }),
    changePerson: ({ params, body, ...call }) => ({
      status: 200,
      body: people.change(params.id, body, identityOf(call).name),
    }),
    createPersonLink: ({ params, ...call }) => ({
      status: 201,
      body: linkBody(people.createLink(params.id, identityOf(call).name)),
    }),
    removePerson: ({ params, ...call }) => {
      people.remove(params.id, identityOf(call).name);
      return { status: 200, body: { status: 'removed' } };
    },
  };
}
