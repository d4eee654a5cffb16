import type { LineRef } from './review-message.ts';

/** A comment being written. It keeps its text while the diff around it is read again. */
export class CommentDraft {
  text = $state('');
  readonly ref: LineRef;

  constructor(ref: LineRef, text = '') {
    this.ref = ref;
    this.text = text;
  }
}
