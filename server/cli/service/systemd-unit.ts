/** The daemon as a unit of systemd, with what a person does to install it. Pure. */
import type { ServicePlan } from './service-plan.ts';

export interface UnitOptions {
  /** A unit of the system instead of the user's own. */
  system: boolean;
}

/** The text of `loopwatch.service`. */
export function systemdUnit(plan: ServicePlan, { system }: UnitOptions): string {
  return [
    ...headOf(plan, system),
    '',
    '[Unit]',
    'Description=Loopwatch supervises coding agents',
    'After=network.target',
    'StartLimitIntervalSec=120',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=simple',
    ...(system ? [`User=${specifierSafe(plan.user)}`] : []),
    'WorkingDirectory=~',
    ...Object.entries(plan.environment).map(
      ([name, value]) => `Environment=${word(`${name}=${value}`)}`,
    ),
    // The colon: nothing in the words is taken for a variable.
    `ExecStart=:${word(plan.node)} ${word(plan.program)} start`,
    'Restart=on-failure',
    'RestartSec=2',
    '# No restart on usage errors, a port in use, another daemon or bad settings.',
    'RestartPreventExitStatus=2 73 75 78',
    'TimeoutStopSec=15',
    '# Stops only the daemon; terminal servers and their agents keep running.',
    'KillMode=process',
    '# An agent that runs out of memory must not take down the daemon and other agents.',
    'OOMPolicy=continue',
    '# No core dumps of a process that holds the token; raise this in a terminal to debug.',
    'LimitCORE=0:infinity',
    '# No sandboxing (NoNewPrivileges, ProtectSystem, PrivateTmp, …): it would apply to terminals',
    '# and agents too, which need sudo, their files and the sockets they are found by.',
    '',
    '[Install]',
    `WantedBy=${system ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

function headOf({ home, tokenIsSet }: ServicePlan, system: boolean): string[] {
  const user = system ? '' : '--user ';
  const install = system
    ? [
        'loopwatch service --system | sudo tee /etc/systemd/system/loopwatch.service',
        'sudo systemctl daemon-reload',
        'sudo systemctl enable --now loopwatch',
      ]
    : [
        'mkdir -p ~/.config/systemd/user',
        'loopwatch service > ~/.config/systemd/user/loopwatch.service',
        'systemctl --user daemon-reload',
        'systemctl --user enable --now loopwatch',
        'loginctl enable-linger      # run without a login session and after logout',
      ];
  const token = [
    '',
    'LOOPWATCH_TOKEN is set but not written here. To keep it, put LOOPWATCH_TOKEN=… in a file',
    'readable only by its owner, and add: EnvironmentFile=/path/to/the/file',
  ];
  return [
    'Runs Loopwatch as a service. To install:',
    ...install.map((line) => `  ${line}`),
    `Logs: journalctl ${user}-u loopwatch, and ${home}/log/daemon.log`,
    ...(tokenIsSet ? token : []),
  ].map((line) => `# ${line}`.trimEnd());
}

/** One word as systemd reads it: in quotes, with the escapes of C, and no specifier in it. */
function word(text: string): string {
  return `"${specifierSafe(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
}

function specifierSafe(text: string): string {
  return text.replaceAll('%', '%%');
}
