/** RFC 4180 with its common deviations: any line end, quotes only where a field begins with one, text behind a closing quote is kept. */
export class DelimitedParser {
  #delimiter;
  #sink;
  #field = '';
  #fields = [];
  /** 'start' of a field, in 'plain' text, inside 'quoted' text, or behind a 'quote' that may have closed it. */
  #state = 'start';
  #line = 1;
  #rowLine = 1;
  #quoteLine = 0;
  #afterReturn = false;

  constructor(delimiter, sink) {
    this.#delimiter = delimiter;
    this.#sink = sink;
  }

  write(text) {
    for (const character of text) this.#step(character);
  }

  end() {
    if (this.#afterReturn) this.#returned();
    if (this.#state === 'quoted') this.#sink.unclosedQuote(this.#quoteLine);
    if (this.#fields.length > 0 || this.#state !== 'start') this.#endRow();
  }

  #step(character) {
    if (this.#afterReturn) {
      if (character === '\n') {
        this.#afterReturn = false;
        return this.#newLine('crlf');
      }
      this.#returned();
    }
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'quote';
      else {
        if (character === '\n') this.#line += 1;
        this.#field += character;
      }
      return;
    }
    if (this.#state === 'quote' && character === '"') {
      this.#field += '"';
      this.#state = 'quoted';
    } else if (character === this.#delimiter) {
      this.#endField();
    } else if (character === '\n') {
      this.#newLine('lf');
    } else if (character === '\r') {
      this.#afterReturn = true;
    } else if (character === '"' && this.#state === 'start') {
      this.#state = 'quoted';
      this.#quoteLine = this.#line;
    } else {
      this.#field += character;
      this.#state = 'plain';
    }
  }

  #returned() {
    this.#afterReturn = false;
    this.#newLine('cr');
  }

  #newLine(kind) {
    this.#sink.lineEnd(kind);
    if (this.#fields.length === 0 && this.#state === 'start') this.#sink.emptyLine();
    else this.#endRow();
    this.#line += 1;
    this.#rowLine = this.#line;
  }

  #endField() {
    this.#fields.push(this.#field);
    this.#field = '';
    this.#state = 'start';
  }

  #endRow() {
    this.#endField();
    const fields = this.#fields;
    this.#fields = [];
    this.#sink.row(fields, this.#rowLine);
  }
}
