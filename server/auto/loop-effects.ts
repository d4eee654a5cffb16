/** Does what the machine of one loop wants done, and tells it what came of it. */
import type { StopFileReason } from '../../shared/auto-signal.ts';
import { messageOf } from '../lib/app-error.ts';
import { type Timer, toIso } from '../lib/clock.ts';
import { writeStopFile } from './control-files.ts';
import { endProcessGroup, interruptProgram } from './end-agent.ts';
import type { Happening, LoopEffect, LoopState } from './machine/loop-state.ts';
import type { PictureWitness } from './picture-witness.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export interface LoopEffectsOptions extends SupervisorOptions {
  sessionName: string;
  state: () => LoopState | null;
  pictures: PictureWitness;
  launch: (tag: string) => void;
  notice: (happening: Happening) => void;
  look: () => void;
}

export class LoopEffects {
  readonly #options: LoopEffectsOptions;
  #killing: Timer | null = null;

  constructor(options: LoopEffectsOptions) {
    this.#options = options;
  }

  perform(effect: LoopEffect): void {
    switch (effect.kind) {
      case 'launch':
        return this.#options.launch(effect.tag);
      case 'write_stop_file':
        return this.writeStopFile(effect.reason);
      case 'interrupt':
        void interruptProgram(this.#options.sessionName, this.#options);
        return;
      case 'kill':
        return this.#kill();
      case 'type':
        void this.#type(effect);
    }
  }

  writeStopFile(reason: StopFileReason): void {
    const { state, clock, logger, sessionName: session } = this.#options;
    const loop = state();
    if (loop === null || writeStopFile(loop, reason, toIso(clock.now()))) return;
    const message = 'the stop file could not be written; the agent is interrupted after the grace';
    logger.warn({ session }, message);
  }

  cancel(): void {
    this.#killing?.cancel();
  }

  #kill(): void {
    const { state, clock, look } = this.#options;
    const agent = state()?.agentProcess ?? null;
    if (agent !== null) this.#killing = endProcessGroup(agent, clock, look);
  }

  async #type({ cause, answer, asking }: Extract<LoopEffect, { kind: 'type' }>): Promise<void> {
    const { outbox, pictures, sessionName, notice } = this.#options;
    const asked = asking.length === 0 ? null : async () => pictures.stillAsks(asking);
    const outcome = await outbox.answer(sessionName, answer, asked).then(
      ({ delivery, reason }) => ({ delivery, detail: reason }),
      (error: unknown) => ({ delivery: 'failed' as const, detail: messageOf(error) }),
    );
    notice({ kind: 'typed', cause, ...outcome });
  }
}
