/**
 * The part of the daemon's environment that a terminal gets. An allowlist: the daemon's own secrets
 * and everything else it was started with stay out of every shell it opens.
 */
const NAMES = new Set([
  'HOME',
  'PATH',
  'SHELL',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'COLORTERM',
  'SSH_AUTH_SOCK',
  'DBUS_SESSION_BUS_ADDRESS',
  'NVM_DIR',
  'IS_SANDBOX',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
]);
const PREFIXES = ['LC_', 'XDG_', 'ANTHROPIC_', 'CLAUDE_', 'GIT_', 'LOOPWATCH_STAND_IN_'];

export function terminalEnvironment(
  environment: NodeJS.ProcessEnv,
  passNames: readonly string[],
): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) =>
        NAMES.has(name) ||
        passNames.includes(name) ||
        PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  );
}
