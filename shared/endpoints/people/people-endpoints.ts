/** Login codes, tokens and tickets; the caller's identity and the list of people. */
import { z } from 'zod';
import { ChangePerson, InvitePerson, Me, Person, PersonLink } from '../../schema/people/people.ts';
import { Role } from '../../schema/people/role.ts';
import type { Endpoint } from '../endpoint.ts';

const PersonParams = z.object({ id: z.string().regex(/^[0-9a-f]{20}$/) });

export const PEOPLE_ENDPOINTS = {
  login: {
    method: 'POST',
    path: '/api/login',
    summary: 'Exchange the one-time code of a login link or invitation for a token.',
    role: null,
    local: true,
    body: z.strictObject({ code: z.string().min(1).max(128) }),
    responses: { 200: z.object({ token: z.string(), name: z.string(), role: Role }) },
    errors: ['invalid_login_code', 'too_many_attempts'],
  },
  createLoginCode: {
    method: 'POST',
    path: '/api/login-codes',
    summary: 'Create a one-time link that logs in another browser as yourself.',
    role: 'viewer',
    secret: true,
    local: true,
    responses: { 201: z.object({ link: z.url(), expires_at: z.iso.datetime() }) },
    errors: [],
  },
  createTicket: {
    method: 'POST',
    path: '/api/tickets',
    summary: 'Create a single-use ticket for one WebSocket, valid for 30 seconds.',
    role: 'viewer',
    responses: { 201: z.object({ ticket: z.string(), expires_at: z.iso.datetime() }) },
    errors: [],
  },
  getMe: {
    method: 'GET',
    path: '/api/me',
    summary: 'Get the owner of this token: name and role.',
    role: 'viewer',
    responses: { 200: Me },
    errors: [],
  },
  listPeople: {
    method: 'GET',
    path: '/api/people',
    summary: 'List members by name, without removed ones.',
    role: 'admin',
    responses: { 200: z.object({ people: z.array(Person) }) },
    errors: [],
  },
  invitePerson: {
    method: 'POST',
    path: '/api/people',
    summary: 'Invite a member by name and role; the link works once and expires after 24 hours.',
    role: 'admin',
    secret: true,
    body: InvitePerson,
    responses: { 201: PersonLink },
    errors: ['name_taken', 'too_many_people'],
  },
  changePerson: {
    method: 'PATCH',
    path: '/api/people/:id',
    summary: 'Change a member’s role or name; their open connections are closed and reconnect.',
    role: 'admin',
    params: PersonParams,
    unknown: 'person_unknown',
    body: ChangePerson,
    responses: { 200: Person },
    errors: ['person_unknown', 'name_taken'],
  },
  createPersonLink: {
    method: 'POST',
    path: '/api/people/:id/link',
    summary: 'Create a new link for a member; using it revokes their current token.',
    role: 'admin',
    secret: true,
    params: PersonParams,
    unknown: 'person_unknown',
    responses: { 201: PersonLink },
    errors: ['person_unknown'],
  },
  removePerson: {
    method: 'DELETE',
    path: '/api/people/:id',
    summary: 'Remove a member: revokes token and link immediately and closes their connections.',
    role: 'admin',
    params: PersonParams,
    unknown: 'person_unknown',
    responses: { 200: z.object({ status: z.literal('removed') }) },
    errors: ['person_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
