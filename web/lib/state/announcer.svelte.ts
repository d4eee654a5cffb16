/** Announcements for screen readers, each once: connection changes, failures, results. */
import { capitalized } from '$shared/rules/text/capitalized.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { whomText } from '$shared/words/attention-text.ts';

export class Announcer {
  message = $state('');

  say(message: string): void {
    this.message = message;
  }

  /**
   * Says what needs a person; other events are not announced. The words of all events are loaded with the
   * first one.
   */
  async sayEvent(event: EventRecord): Promise<void> {
    if (event.type !== 'auto.failed' && event.type !== 'attention.raised') return;
    const { describeEvent } = await import('$shared/words/events/describe-event.ts');
    const whom = whomText({ session: event.session ?? null, subject: event.subject });
    this.say(`${event.session ?? capitalized(whom)}: ${describeEvent(event).text}`);
  }
}
