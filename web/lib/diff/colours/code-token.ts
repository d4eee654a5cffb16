/** The end of a token within its line, in characters, and its kind; null has no colour. */
export interface CodeToken {
  end: number;
  kind: TokenKind | null;
}

/** Each has a colour in `styles/tokens.css`. */
export const TOKEN_KINDS = ['comment', 'keyword', 'string', 'number', 'name', 'type'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
