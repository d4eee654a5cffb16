import { execFileSync } from 'node:child_process';

/** Tests start the built program as its users do: builds it when the sources are newer. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build:missing'], { stdio: 'inherit' });
}
