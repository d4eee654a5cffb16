/** Announcements for screen readers, each once: connection changes, failures, results. */
export class Announcer {
  message = $state('');

  say(message: string): void {
    this.message = message;
  }
}
