/** Each shell command, and its exit code for each kind of failure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from 'commander';
import { createProgram } from '../../server/cli/cli.ts';
import { ExitCode } from '../../server/cli/exit-code.ts';
import { RunExit } from '../../server/cli/runs/run-exit.ts';
import { World } from '../support/daemon/world.ts';

/** Commands that name something which does not exist. */
const MISSING = `
  loop start nowhere · loop stop ghost · loop show ghost · loop limits ghost --max-iterations 5
  loop lookup nowhere · loop why ghost · loop restart ghost · loop history ghost
  respawn show ghost · respawn start ghost · respawn stop ghost · respawn pause ghost
  respawn resume ghost · respawn check ghost idle · respawn config ghost
  session open web nowhere · session close ghost · session screen ghost
  session peek ghost · session continue ghost · session input ghost words · session interrupt ghost
  session record ghost start · session record ghost stop
  attention show ghost · attention answer ghost allow
  alert show ghost · alert remove ghost · alert enable ghost · alert disable ghost
  alert test ghost · alert preview ghost · alert ack ghost · alert retry 7
  people role ghost viewer · people rename ghost Kim · people link ghost · people remove ghost
  task create fix --description x --root tasks/nowhere · task show ghost
  task start ghost · task stop ghost · task resume ghost · task recover ghost
  task retry ghost --iterations 2 · task clone ghost · task say ghost words
  task inputs ghost · task log ghost · task diff ghost · task tests ghost · task wait ghost
  task merge ghost --into main
  task clear ghost --yes · task delete ghost --yes · task delete-worktree ghost --yes
  prompt show ghost · prompt delete ghost · module show ghost
  project show ghost · project set tasks/nowhere --copy .env · project rm tasks/nowhere
  budget raise 7 9 · budget rm 7 · fleet release ghost
  question try 7 · question on 7 · question off 7 · question rm 7
`;

/** The same for runs, which have codes of their own. */
const MISSING_RUNS = `
  run follow ghost · run resume ghost · run stop ghost · run input ghost words
  run accept ghost · run diff ghost · run merge ghost --into main · run rm ghost
`;

/** Of these a stored run without a daemon is enough. */
const MISSING_FILES_OF_RUNS = `
  run show ghost · run plan ghost · run report ghost · run export ghost file · run import nowhere
`;

/** Commands that need a daemon and name nothing. */
const DAEMON = `
  status · login · open · session ls · session ignore · loop ls · loop history · respawn ls · usage · report · history · night · task ls · project ls · prompt ls · module ls · alert ls · budget ls · reserve show · question ls
  client ls · client test · client trust 2.1.900 · client distrust 2.1.900 · hooks status · hooks install --dry-run · hooks remove
  fleet ls · fleet claims · attention · attention ls · alert log · alert incidents · people ls · people invite Mia --role viewer
  budget set day cost 20 · reserve set --line 100 · reserve off · question set all escalate --after 30
  alert add hook --type auto.failed --webhook http://127.0.0.1:9/ · prompt add title --content x
`;

/** Commands that need no daemon, with a file or directory that does not exist. */
const FILES = `
  fleet invite build-1 · fleet remove build-1
  classify nowhere · restore nowhere · step entry --dir nowhere · step status --dir nowhere
  step done --dir nowhere --step plan --result (generated) · step stop-requested --dir nowhere
  step lock --dir nowhere · step stop --dir nowhere · step check --dir nowhere
`;

/** Tested elsewhere: they run until ended, take over a terminal, create files, or only print. */
const ELSEWHERE = `
  start · stop · logs · mcp · ping · demo · watch · session attach · doctor · service · backup
  fleet init · fleet join · fleet doctor · help · completion · __complete · step init · step guide · run start · run ls · run cleanup
`;

const words = (list: string) => list.trim().split(/\s*(?: · |\n)\s*/);

let running: World;
let stopped: World;

beforeAll(async () => {
  [running, stopped] = [new World(), new World()];
  await running.spawn();
});
afterAll(async () => {
  for (const world of [running, stopped]) await world[Symbol.asyncDispose]();
});

/** The exit code, the output, and whether a message of whole lines explains it. */
async function end(world: World, command: string, token?: string): Promise<unknown> {
  const { environment } = world;
  const before = environment['LOOPWATCH_TOKEN'];
  if (token !== undefined) environment['LOOPWATCH_TOKEN'] = token;
  const ending = world.cli(...command.split(' '));
  if (before === undefined) delete environment['LOOPWATCH_TOKEN'];
  else environment['LOOPWATCH_TOKEN'] = before;
  const { code, stdout, stderr } = await ending;
  return [code, stdout, /^(loopwatch: \S.*\n)+$/.test(stderr) ? 'why' : stderr];
}

describe.each(words(MISSING))('%s', (command) => {
  it('CL1 ends with 4 for what does not exist', async () => {
    expect(await end(running, command)).toEqual([ExitCode.notFound, '', 'why']);
  });
});

describe.each(words(FILES))('%s', (command) => {
  it('CL1 ends with 4 for a file that does not exist', async () => {
    expect(await end(stopped, command)).toEqual([ExitCode.notFound, '', 'why']);
  });
});

describe.each([...words(MISSING), ...words(DAEMON)])('%s', (command) => {
  it('CL1 ends with 3 without a daemon', async () => {
    expect(await end(stopped, command)).toEqual([ExitCode.notRunning, '', 'why']);
  });

  it('CL1 ends with 78 for a token that the daemon does not accept', async () => {
    const wrong = 'A'.repeat(43);
    expect(await end(running, command, wrong)).toEqual([ExitCode.config, '', 'why']);
  });
});

describe.each([...words(MISSING_RUNS), ...words(MISSING_FILES_OF_RUNS)])('%s', (command) => {
  it('RU3 ends with 3 for a run that does not exist', async () => {
    expect(await end(running, command)).toEqual([RunExit.notFound, '', 'why']);
  });
});

describe.each(words(MISSING_FILES_OF_RUNS))('%s', (command) => {
  it('RU3 ends with 3 without a daemon too', async () => {
    expect(await end(stopped, command)).toEqual([RunExit.notFound, '', 'why']);
  });
});

describe.each(words(MISSING_RUNS))('%s', (command) => {
  it('RU3 ends with 69 without a daemon', async () => {
    expect(await end(stopped, command)).toEqual([RunExit.notRunning, '', 'why']);
  });

  it('RU3 ends with 78 for a token that the daemon does not accept', async () => {
    const wrong = 'A'.repeat(43);
    expect(await end(running, command, wrong)).toEqual([ExitCode.config, '', 'why']);
  });
});

it('CL1 the tables hold every command', async () => {
  const leaves = (command: Command, before: string[]): string[] =>
    command.commands.length === 0
      ? [before.join(' ')]
      : command.commands.flatMap((each) => leaves(each, [...before, each.name()]));
  const tried = [MISSING, MISSING_RUNS, MISSING_FILES_OF_RUNS, DAEMON, FILES].flatMap(words);
  const left = leaves(await createProgram(), []).filter(
    (name) =>
      !words(ELSEWHERE).includes(name) && !tried.some((line) => `${line} `.startsWith(`${name} `)),
  );
  expect(left).toEqual([]);
});
