/** `loopwatch people …`: members besides the token of the home. */
import { Argument, type Command, Option } from 'commander';
import {
  HOME_NAME,
  type Person,
  type PersonLink,
} from '../../../../shared/schema/people/people.ts';
import { personKey } from '../../../../shared/schema/people/person-name.ts';
import { formatDuration } from '../../../../shared/words/format-duration.ts';
import { Role } from '../../../../shared/schema/people/role.ts';
import { request } from '../../client.ts';
import { choices } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { type Output, printList } from '../../print/output.ts';
import { print, printJson } from '../../print/print.ts';
import { tableLines } from '../../print/table.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

type Options = Output & Zoned;

const HEAD = ['member', 'role', 'access'];

export function addPeopleCommands(program: Command): void {
  const people = program.command('people');

  people
    .command('ls')
    .description('list members with role and last activity')
    .option('-q, --quiet', 'print only the names')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (options: Options) => {
      const { people: all } = await request('listPeople', {});
      const home = [HOME_NAME, 'admin', "this machine's token"];
      const rows = () => all.map((person) => cells(person, timeIn(options)));
      printList(all, options, {
        id: ({ name }) => name,
        lines: () => tableLines(HEAD, [home, ...rows()]),
        none: tableLines(HEAD, [home]).join('\n'),
      });
    });

  people
    .command('invite')
    .description('invite a member: prints a one-time link, valid for 24 hours')
    .argument('<name>')
    .addOption(
      choices(
        new Option('--role <role>', 'read-only, full work, or also members and alerts'),
        Role.options,
      ).makeOptionMandatory(),
    )
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, { role, ...options }: Options & { role: Role }) => {
      printLink(await request('invitePerson', { body: { name, role } }), options);
    });

  people
    .command('role')
    .description("change a member's role, effective immediately")
    .argument('<member>')
    .addArgument(choices(new Argument('<role>'), Role.options))
    .addOption(UTC_OPTION)
    .action(async (name: string, role: Role, zoned: Zoned) => {
      const { id } = await find(name);
      const changed = await request('changePerson', { params: { id }, body: { role } });
      print(personLine(changed, timeIn(zoned)));
    });

  people
    .command('rename')
    .description('rename a member')
    .argument('<member>')
    .argument('<new-name>')
    .addOption(UTC_OPTION)
    .action(async (before: string, name: string, zoned: Zoned) => {
      const { id } = await find(before);
      const changed = await request('changePerson', { params: { id }, body: { name } });
      print(personLine(changed, timeIn(zoned)));
    });

  people
    .command('link')
    .description('create a new one-time link for a member, e.g. for another browser')
    .argument('<member>')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, options: Options) => {
      const { id } = await find(name);
      printLink(await request('createPersonLink', { params: { id } }), options);
    });

  people
    .command('remove')
    .description("revoke a member's access immediately")
    .argument('<member>')
    .action(async (wanted: string) => {
      const { id, name } = await find(wanted);
      await request('removePerson', { params: { id } });
      print(`${name}: removed`);
    });
}

/** No two names are alike to the daemon, so the same comparison finds one. */
async function find(name: string): Promise<Person> {
  const { people } = await request('listPeople', {});
  const found = people.find((person) => personKey(person.name) === personKey(name));
  if (found !== undefined) return found;
  const names = people.map((person) => person.name).join(', ') || 'none';
  throw new CliError(ExitCode.notFound, `no member named "${name}"; members: ${names}`);
}

function cells({ name, role, ...person }: Person, time: TimeText): string[] {
  return [name, role, stateOf(person, time)];
}

function personLine(person: Person, time: TimeText): string {
  return cells(person, time).join('  ');
}

function stateOf(person: Omit<Person, 'name' | 'role'>, time: TimeText): string {
  const { joined_at, last_seen_at, has_token, link_expires_at } = person;
  const link = link_expires_at === null ? '' : `link valid until ${time(link_expires_at)}`;
  if (!has_token) return link || 'link expired; create a new one with: loopwatch people link NAME';
  const seenAt = last_seen_at ?? joined_at;
  const age = seenAt === null ? 0 : (Date.now() - Date.parse(seenAt)) / 1000;
  const seen = age < 120 ? 'seen just now' : `seen ${formatDuration(age)} ago`;
  return link === '' ? seen : `${seen}, new ${link}`;
}

function printLink({ person, link, expires_at }: PersonLink, options: Options): void {
  if (options.json === true) return printJson({ person, link, expires_at });
  const { name, role } = person;
  print(
    `for ${name} (${role}), valid once, until ${timeIn(options)(expires_at)} (shown only once):\n${link}`,
  );
}
