/** `loopwatch people …`: who may come in besides the token of the home. */
import type { Command } from 'commander';
import { HOME_NAME, type Person, type PersonLink } from '../../shared/people.ts';
import { personKey } from '../../shared/person-name.ts';
import { formatDuration } from '../../shared/format-duration.ts';
import { Role } from '../../shared/role.ts';
import { request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

interface Json {
  json?: boolean;
}

export function addPeopleCommands(program: Command): void {
  const people = program.command('people').description('who may come in, and what each may do');

  people
    .command('list', { isDefault: true })
    .description('everybody, with role and when they were last seen')
    .option('--json', 'as JSON')
    .action(async ({ json }: Json) => {
      const { people: all } = await request('listPeople', {});
      if (json === true) return print(JSON.stringify(all));
      print([`${HOME_NAME}  admin  the token of the home`, ...all.map(personLine)].join('\n'));
    });

  people
    .command('invite')
    .description('make a link for somebody; it works once, for 24 hours')
    .argument('<name>')
    .requiredOption('--role <role>', 'viewer looks on, operator works, admin decides on people')
    .option('--json', 'as JSON')
    .action(async (name: string, { role, json }: Json & { role: string }) => {
      printLink(await request('invitePerson', { body: { name, role: roleOf(role) } }), json);
    });

  people
    .command('role')
    .description('change what somebody may do, at once')
    .argument('<name>')
    .argument('<role>')
    .action(async (name: string, word: string) => {
      const role = roleOf(word);
      const { id } = await find(name);
      print(personLine(await request('changePerson', { params: { id }, body: { role } })));
    });

  people
    .command('rename')
    .description('change what somebody is called')
    .argument('<name>')
    .argument('<new-name>')
    .action(async (before: string, name: string) => {
      const { id } = await find(before);
      print(personLine(await request('changePerson', { params: { id }, body: { name } })));
    });

  people
    .command('link')
    .description('make a new link for somebody who lost theirs, or for another browser')
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, { json }: Json) => {
      const { id } = await find(name);
      printLink(await request('createPersonLink', { params: { id } }), json);
    });

  people
    .command('remove')
    .description('take token and link away, and close what is open, at once')
    .argument('<name>')
    .action(async (wanted: string) => {
      const { id, name } = await find(wanted);
      await request('removePerson', { params: { id } });
      print(`${name}: removed`);
    });
}

/** The daemon lets no two names be alike, so the comparison may be as generous. */
async function find(name: string): Promise<Person> {
  const { people } = await request('listPeople', {});
  const found = people.find((person) => personKey(person.name) === personKey(name));
  if (found !== undefined) return found;
  const names = people.map((person) => person.name).join(', ') || 'nobody was invited';
  throw new CliError(ExitCode.notFound, `there is nobody called "${name}"; there is: ${names}`);
}

function personLine({ name, role, ...person }: Person): string {
  return `${name}  ${role}  ${stateOf(person)}`;
}

function stateOf({
  joined_at,
  last_seen_at,
  has_token,
  link_expires_at,
}: Omit<Person, 'name' | 'role'>) {
  const link = link_expires_at === null ? '' : `link until ${at(link_expires_at)}`;
  if (!has_token) return link || 'needs a new link: loopwatch people link NAME';
  const seenAt = last_seen_at ?? joined_at;
  const age = seenAt === null ? 0 : (Date.now() - Date.parse(seenAt)) / 1000;
  const seen = age < 120 ? 'seen just now' : `seen ${formatDuration(age)} ago`;
  return link === '' ? seen : `${seen}, new ${link}`;
}

function printLink({ person, link, expires_at }: PersonLink, json = false): void {
  if (json) return print(JSON.stringify({ person, link, expires_at }));
  const { name, role } = person;
  print(`for ${name} (${role}), once, until ${at(expires_at)}; shown only now:\n${link}`);
}

function roleOf(word: string): Role {
  const parsed = Role.safeParse(word);
  if (parsed.success) return parsed.data;
  throw new CliError(ExitCode.usage, `"${word}" is not one of ${Role.options.join(', ')}`);
}

function at(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
