/** What a service of the system has to know to run this daemon as it would run now. */
import { CliError, ExitCode } from '../exit-code.ts';

export interface ServicePlan {
  /** Absolute: this node and this main.js. */
  node: string;
  program: string;
  /** The settings that are set now and the PATH, on which the agent is found. */
  environment: Readonly<Record<string, string>>;
  /** Where the daemon keeps its state. */
  home: string;
  /** Who runs it, for a unit of the system. */
  user: string;
  /** The token is set in the environment and has to be given in another way. */
  tokenIsSet: boolean;
}

/** Control bytes, and what is left of bytes that were no text: neither can be written down rightly. */
// eslint-disable-next-line no-control-regex -- these are the bytes to refuse
const UNWRITABLE = /[\u0000-\u001f\u007f\ufffd]/;

/** Throws a CliError that names a value no service file could hold. */
export function requireWritable({ node, program, environment, home, user }: ServicePlan): void {
  const values = { node, 'main.js': program, home, user, ...environment };
  for (const [name, value] of Object.entries(values)) {
    if (!UNWRITABLE.test(value)) continue;
    throw new CliError(
      ExitCode.config,
      `${name} contains a line break or another control character, which a service file cannot hold; change it`,
    );
  }
}
