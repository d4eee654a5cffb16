/** The configuration of the NATS server of a fleet: one user for each host, and one for its streams. */
import { join } from 'node:path';
import { publishRights, subscribeRights } from './host-rights.ts';

/** Names of files next to the configuration. */
export const SERVER_FILES = {
  certificate: 'server.pem',
  key: 'server-key.pem',
  pid: 'nats.pid',
  store: 'jetstream',
} as const;

interface ConfiguredFleet {
  listen: string;
  admin: { public_key: string };
  members: readonly { id: string; name: string; public_key: string }[];
}

/** `directory` holds the certificate, and gets the store and the pid file. */
export function serverConfig(fleet: ConfiguredFleet, directory: string): string {
  const path = (name: string) => JSON.stringify(join(directory, name));
  return `# Written by \`loopwatch fleet\`: what is changed here by hand is lost at the next invitation.
listen: ${JSON.stringify(fleet.listen)}
pid_file: ${path(SERVER_FILES.pid)}
max_payload: 1048576

jetstream {
  store_dir: ${path(SERVER_FILES.store)}
  max_file_store: 3221225472
  max_mem_store: 67108864
}

tls {
  cert_file: ${path(SERVER_FILES.certificate)}
  key_file: ${path(SERVER_FILES.key)}
  timeout: 5
}

authorization {
  timeout: 10
  users: [
    # creates the streams; only this home has its key
    { nkey: ${fleet.admin.public_key} }
${fleet.members.map(userText).join('\n')}
  ]
}
`;
}

function userText({ id, name, public_key }: ConfiguredFleet['members'][number]): string {
  const list = (rights: readonly { subject: string }[]) =>
    rights.map(({ subject }) => `          ${JSON.stringify(subject)}`).join('\n');
  return `    # ${name}
    {
      nkey: ${public_key}
      permissions {
        publish: { allow: [
${list(publishRights(id))}
        ] }
        subscribe: { allow: [
${list(subscribeRights(id))}
        ] }
      }
    }`;
}
