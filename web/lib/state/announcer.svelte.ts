/** What a screen reader is told, once each: connection changes, failures, results. */
export class Announcer {
  message = $state('');

  say(message: string): void {
    this.message = message;
  }
}
