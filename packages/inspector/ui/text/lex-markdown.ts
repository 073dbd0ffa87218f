import { Lexer, type Token, type TokensList } from 'marked';

const maxCharacters = 200_000;
/**
 * How deep quotes, lists and emphasis are laid out inside of each other. Deeper, they are text:
 * each level costs stack and time.
 */
const maxDepth = 24;
/**
 * The longest paragraph whose emphasis and links are looked for: the time for it grows with the
 * square of its length.
 */
const maxInlineCharacters = 3_000;

/**
 * Markdown as tokens; `null` for what the lexer does not survive. Time and depth are bounded,
 * whatever a file holds.
 */
export function lexMarkdown(text: string): { readonly tokens: readonly Token[] | null; readonly isCut: boolean } {
  try {
    return { tokens: new BoundedLexer({ gfm: true }).lex(text.slice(0, maxCharacters)), isCut: text.length > maxCharacters };
  } catch {
    return { tokens: null, isCut: false };
  }
}

class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(source: string, tokens?: Token[], isLastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isLastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isLastParagraphClipped?: boolean): Token[] {
    return this.#within(source, tokens, () => super.blockTokens(source, tokens, isLastParagraphClipped));
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length > maxInlineCharacters) return asText(source, tokens);
    return this.#within(source, tokens, () => super.inlineTokens(source, tokens));
  }

  #within(source: string, tokens: Token[], lex: () => Token[]): Token[] {
    if (this.#depth >= maxDepth) return asText(source, tokens);
    this.#depth += 1;
    try {
      return lex();
    } finally {
      this.#depth -= 1;
    }
  }
}

/**
 * The rest as one token of text. It goes into the list that was given, which is what the lexer
 * reads.
 */
function asText(source: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: source, text: source });
  return tokens;
}
