/** People of a running daemon, invited and logged in as they would be. */
import type { Person } from '../../../shared/schema/people/people.ts';
import type { Role } from '../../../shared/schema/people/role.ts';
import { ApiClient } from './api-client.ts';

/** `api` is an admin's client; returns the person as listed and the secret of the link. */
export async function invite(
  admin: ApiClient,
  name: string,
  role: Role,
): Promise<{ person: Person; link: string; code: string }> {
  const { status, body } = await admin.send('POST', '/api/people', { name, role });
  if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
  const link = body['link'] as string;
  return { person: body['person'] as Person, link, code: codeOf(link) };
}

/** Invites and uses the link; returns that person's own client. */
export async function join(
  admin: ApiClient,
  name: string,
  role: Role,
): Promise<{ id: string; api: ApiClient }> {
  const { person, code } = await invite(admin, name, role);
  return { id: person.id, api: await logIn(admin.url, code) };
}

/** The client of the person that the code belongs to. */
export async function logIn(url: string, code: string): Promise<ApiClient> {
  const { status, body } = await new ApiClient(url, 'none').send('POST', '/api/login', { code });
  if (status !== 200) throw new Error(`login: ${JSON.stringify(body)}`);
  return new ApiClient(url, body['token'] as string);
}

export function codeOf(link: string): string {
  return link.split('#k=')[1] ?? '';
}
