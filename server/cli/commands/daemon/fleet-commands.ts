/** `loopwatch fleet …`: several hosts on one page. Only `ls` needs a daemon. */
import type { Command } from 'commander';
import {
  MembershipError,
  type MembershipProblem,
} from '../../../fleet/membership/membership-error.ts';
import { messageOf } from '../../../lib/app-error.ts';
import { readConfig } from '../../../lib/config/config.ts';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import { request } from '../../client.ts';
import { collect, textArgument } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { findId } from '../../find-id.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { notice } from '../../print/print.ts';
import {
  ALONE,
  claimLines,
  daemonLines,
  hostLines,
  problemText,
  reloadText,
} from '../../print/print-fleet.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';
import {
  addressOf,
  ownHostName,
  parseAddress,
  parseHostName,
  parseListen,
} from './parse-fleet-options.ts';

interface InitOptions extends Output {
  listen: string;
  name?: string;
  address: string[];
}

export function addFleetCommands(program: Command): void {
  const fleet = program.command('fleet');

  fleet
    .command('ls')
    .description('list the hosts and whether they can be reached')
    .option('-q, --quiet', 'print only the names')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (options: Output & Zoned) => {
      const { hosts, problem } = await request('listHosts', {});
      printList(hosts, options, {
        id: ({ name }) => name,
        lines: (rows) => hostLines(rows, timeIn(options)),
        none: ALONE,
      });
      if (problem !== null) notice(problemText(problem, timeIn(options)));
    });

  fleet
    .command('init')
    .description('make a fleet: writes the configuration of its NATS server into this home')
    .option('--listen <address>', 'where the server listens', parseListen, '127.0.0.1:4222')
    .option('--name <name>', 'of this host (default: the name of this machine)', parseHostName)
    .option(
      '--address <url>',
      'how other hosts reach the server, e.g. tls://build.example:4222; repeat it for more names, or for the servers of a cluster',
      (text: string, before: string[]) => collect(parseAddress(text), before),
      [],
    )
    .option('--json', 'output as JSON')
    .action(async ({ listen, name = ownHostName(), address, ...options }: InitOptions) => {
      const { home } = readConfig();
      const addresses = address.length > 0 ? address : [addressOf(listen)];
      const [{ makeFleet }, { configPath }] = await Promise.all([
        import('../../../fleet/membership/make-fleet.ts'),
        import('../../../fleet/membership/fleet-record.ts'),
      ]);
      const { url } = await refusedAsCliError(() => makeFleet(home, { name, listen, addresses }));
      const config = configPath(home);
      printOne({ name, url, config }, options, () => [
        `${name} is the first host of a new fleet`,
        'now start the server, and keep it running:',
        `  nats-server -c ${config}`,
        ...daemonLines(url),
        'then, for each other host: loopwatch fleet invite NAME',
      ]);
    });

  fleet
    .command('invite')
    .description('invite a host: prints a link for it, once')
    .argument('<name>', 'of the new host, in addresses of the page', parseHostName)
    .option('--json', 'output as JSON')
    .action(async (name: string, options: Output) => {
      const { inviteHost } = await import('../../../fleet/membership/members.ts');
      const { link, reload } = await refusedAsCliError(() => inviteHost(readConfig().home, name));
      printOne({ name, link, reload }, options, () => [
        reloadText(reload),
        `for ${name} (a secret, shown only once); run there:`,
        `loopwatch fleet join ${link}`,
      ]);
    });

  fleet
    .command('join')
    .description('make this home a host of a fleet')
    .argument('<link>', 'from loopwatch fleet invite; - reads it from standard input')
    .option('--replace', 'leave the fleet this home belongs to')
    .option('--json', 'output as JSON')
    .action(
      async (given: string, { replace = false, ...options }: Output & { replace?: boolean }) => {
        const { joinFleet } = await import('../../../fleet/membership/members.ts');
        const joined = await refusedAsCliError(() =>
          joinFleet(readConfig().home, textArgument(given), replace),
        );
        const { name, url } = joined;
        printOne({ name, url }, options, () => [
          `this home is the host ${name} now`,
          ...daemonLines(url),
        ]);
      },
    );

  fleet
    .command('remove')
    .description('remove a host: it is cut off at once and cannot come back')
    .argument('<name>')
    .option('--json', 'output as JSON')
    .action(async (name: string, options: Output) => {
      const { removeHost } = await import('../../../fleet/membership/members.ts');
      const { home } = readConfig();
      const { id, reload } = await refusedAsCliError(() => removeHost(home, name));
      printOne({ name, reload }, options, () => [`${name}: removed`, reloadText(reload)]);
      if (reload !== 'asked') return;
      const { forgetRemoved } = await import('../../../fleet/membership/as-founder.ts');
      await forgetRemoved(home, id).catch((error: unknown) => {
        notice(`what ${name} said of itself stays on the server: ${messageOf(error)}`);
      });
    });

  fleet
    .command('claims')
    .description('list which host works on which remote branch')
    .option('-q, --quiet', 'print only the keys')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { claims } = await request('listClaims', {});
      printList(claims, options, { id: ({ key }) => key, lines: claimLines, none: 'no claims' });
    });

  fleet
    .command('release')
    .description('release a claim of a host that is dead; if it comes back, it stops that work')
    .argument('<key>', 'as listed, or its first characters')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output) => {
      const { claims } = await request('listClaims', {});
      const key = findId(
        given,
        claims.map((claim) => ({ id: claim.key })),
        'claim',
      );
      const claim = claims.find((each) => each.key === key);
      const revision = claim?.revision ?? 0;
      const released = await request('releaseClaim', { body: { key, revision } });
      printOne({ key, ...released }, options, () => [
        `released: ${oneLine(claim?.work ?? '', 400)}; another host may work there now`,
      ]);
    });

  fleet
    .command('doctor')
    .description('check step by step what keeps this host out of its fleet, with a fix for each')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { runFleetDoctor } = await import('./run-fleet-doctor.ts');
      await runFleetDoctor(options);
    });
}

const EXIT: Record<MembershipProblem, number> = {
  missing: ExitCode.notFound,
  refused: ExitCode.failed,
  invalid: ExitCode.usage,
  failed: ExitCode.failed,
};

async function refusedAsCliError<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof MembershipError)) throw error;
    throw new CliError(EXIT[error.problem], error.message);
  }
}
