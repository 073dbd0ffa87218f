const lineFeed = 0x0a;
const space = 0x20;
const hash = 0x23;

/** The lines of a text that ends with one, one at a time. */
export class PlainLines {
  readonly text: string;
  /** Where the line begins. */
  offset = 0;
  /** Where it ends. */
  end = 0;
  /** The spaces that it begins with. */
  indent = 0;
  atEnd = false;
  /** Where the last line ended that was not skipped. */
  contentEnd = 0;
  /** Whether a comment was skipped. */
  hasComment = false;
  /** The largest indent of comments behind the last line that counts; -1 for none. */
  commentIndent = -1;
  #line: string | undefined;

  constructor(text: string) {
    this.text = text;
    this.#goTo(0);
  }

  /** The line, without its end. */
  get line(): string {
    return (this.#line ??= this.text.slice(this.offset, this.end));
  }

  /** Whether it has nothing but spaces. */
  get isBlank(): boolean {
    return this.text.charCodeAt(this.offset + this.indent) === lineFeed;
  }

  /** Whether the next line begins with a space. */
  get isNextIndented(): boolean {
    // Behind the end of a text, the engine takes a slow way.
    return this.end + 1 < this.text.length && this.text.charCodeAt(this.end + 1) === space;
  }

  next(): void {
    this.#leave(this.end);
  }

  /** Goes to the line behind a position. Returns whether only spaces are between. */
  nextBehind(position: number): boolean {
    let end = position;
    while (this.text.charCodeAt(end) === space) end += 1;
    if (this.text.charCodeAt(end) !== lineFeed) return false;
    this.#leave(end);
    return true;
  }

  /** Goes to the next line with more than a comment. Returns whether there is one. */
  skipEmpty(): boolean {
    for (;;) {
      const first = this.offset + this.indent;
      const unit = this.text.charCodeAt(first);
      if (unit === lineFeed) this.#goTo(first + 1);
      else if (unit === hash) {
        this.hasComment = true;
        this.commentIndent = Math.max(this.commentIndent, this.indent);
        this.#goTo(this.end + 1);
      } else return !this.atEnd;
    }
  }

  #leave(end: number): void {
    this.contentEnd = end;
    this.commentIndent = -1;
    this.#goTo(end + 1);
  }

  #goTo(offset: number): void {
    const { text } = this;
    this.offset = offset;
    this.#line = undefined;
    this.atEnd = offset >= text.length;
    this.end = offset;
    this.indent = 0;
    if (this.atEnd) return;
    this.end = text.indexOf('\n', offset);
    let first = offset;
    while (text.charCodeAt(first) === space) first += 1;
    this.indent = first - offset;
  }
}
