/** Addresses that open a directory in an editor. Pure. */

interface Editor {
  label: string;
  /** `host` is null where the page and the files are on one machine. */
  link: (path: string, host: string | null) => string;
}

// As code.visualstudio.com/docs/editor/command-line describes them; its forks keep the form.
const likeCode = (scheme: string) => (path: string, host: string | null) =>
  host === null
    ? `${scheme}://file${path}`
    : `${scheme}://vscode-remote/ssh-remote+${encodeURIComponent(host)}${path}`;

const EDITORS: readonly Editor[] = [
  { label: 'VS Code', link: likeCode('vscode') },
  { label: 'Cursor', link: likeCode('cursor') },
  { label: 'Zed', link: (path, host) => `zed://${host === null ? 'file' : `ssh/${host}`}${path}` },
];

const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** `host` is where the page comes from; on another machine the editor connects to it over SSH. */
export function editorLinks(path: string, host: string): { label: string; href: string }[] {
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  const remote = OWN_MACHINE.includes(host) ? null : host;
  return EDITORS.map(({ label, link }) => ({ label, href: link(escaped, remote) }));
}
