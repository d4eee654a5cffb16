/** The daemon as an agent of launchd, with what a person does to install it. Pure. */
import type { ServicePlan } from './service-plan.ts';

const LABEL = 'loopwatch';

/** A property list; `home` is the user's home directory. */
export function launchdPlist(plan: ServicePlan, userHome: string): string {
  const { node, program, environment, tokenIsSet } = plan;
  const log = `${userHome}/Library/Logs/loopwatch.log`;
  const lines = [
    'Runs Loopwatch as a service. To install:',
    '  loopwatch service --launchd > ~/Library/LaunchAgents/loopwatch.plist',
    '  launchctl bootstrap gui/$UID ~/Library/LaunchAgents/loopwatch.plist',
    ...(tokenIsSet
      ? ['LOOPWATCH_TOKEN is set but not written here; the daemon uses its own token.']
      : []),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    // Two hyphens may not stand in a comment of XML; so this one is text of its own key.
    '<plist version="1.0">',
    '<dict>',
    entry('Comment', `<string>${xml(lines.join('\n'))}</string>`),
    entry('Label', `<string>${LABEL}</string>`),
    entry('ProgramArguments', array([node, program, 'start'])),
    entry('EnvironmentVariables', dictionary(environment)),
    entry('RunAtLoad', '<true/>'),
    entry('KeepAlive', '<dict><key>SuccessfulExit</key><false/></dict>'),
    entry('ThrottleInterval', '<integer>10</integer>'),
    // Ends the daemon alone: the servers of the terminals, and the agents in them, keep running.
    entry('AbandonProcessGroup', '<true/>'),
    entry('StandardOutPath', `<string>${xml(log)}</string>`),
    entry('StandardErrorPath', `<string>${xml(log)}</string>`),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function entry(key: string, value: string): string {
  return `  <key>${key}</key>\n  ${value}`;
}

function array(items: readonly string[]): string {
  return `<array>${items.map((item) => `<string>${xml(item)}</string>`).join('')}</array>`;
}

function dictionary(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values).map(
    ([key, value]) => `\n    <key>${xml(key)}</key><string>${xml(value)}</string>`,
  );
  return `<dict>${entries.join('')}\n  </dict>`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
