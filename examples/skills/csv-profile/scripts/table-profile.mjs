import { ColumnProfile } from './column-profile.mjs';

/** The most different rows that are remembered to find duplicates. */
const maxTrackedRows = 1_000_000;

/** Stops the reading early without being a failure. */
export class EnoughRows extends Error {}

/** Takes rows from the parser and keeps what the profile needs of them. */
export class TableProfile {
  bytes = 0;
  byteOrderMark = false;
  delimiter = ',';
  truncated = false;
  #options;
  #columns = null;
  #rows = 0;
  #emptyLines = 0;
  #lineEnds = { lf: 0, crlf: 0, cr: 0 };
  #raggedRows = 0;
  #raggedExamples = [];
  #seenRows = new Set();
  #duplicateRows = 0;
  /** @type {number | null} */
  #unclosedQuote = null;
  #replacementCharacters = 0;
  #warnings = [];

  constructor(options) {
    this.#options = options;
  }

  countReplacements(text) {
    for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) this.#replacementCharacters += 1;
  }

  lineEnd(kind) {
    this.#lineEnds[kind] += 1;
  }

  emptyLine() {
    this.#emptyLines += 1;
  }

  unclosedQuote(line) {
    this.#unclosedQuote = line;
  }

  row(fields, line) {
    if (this.#columns === null) {
      const names = this.#options.header ? this.#columnNames(fields) : fields.map((_, index) => `column_${index + 1}`);
      this.#columns = names.map((name, index) => new ColumnProfile(name, index, this.#options));
      if (this.#options.header) return;
    }
    if (this.#rows === this.#options.maxRows) throw new EnoughRows();
    this.#rows += 1;
    if (fields.length !== this.#columns.length) {
      this.#raggedRows += 1;
      if (this.#raggedExamples.length < 5) this.#raggedExamples.push({ line, fields: fields.length, expected: this.#columns.length });
    }
    for (const [index, column] of this.#columns.entries()) column.add(fields[index] ?? '');
    this.#noteDuplicate(fields);
  }

  #columnNames(fields) {
    const seen = new Set();
    return fields.map((field, index) => {
      const base = field.trim() === '' ? `column_${index + 1}` : field.trim();
      let name = base;
      for (let number = 2; seen.has(name); number += 1) name = `${base}_${number}`;
      seen.add(name);
      if (field.trim() === '') this.#warnings.push(`Column ${index + 1} has no name and is called ${JSON.stringify(name)}.`);
      else if (name !== base)
        this.#warnings.push(`Column ${index + 1} repeats the name ${JSON.stringify(base)} and is called ${JSON.stringify(name)}.`);
      return name;
    });
  }

  #noteDuplicate(fields) {
    if (this.#duplicateRows === null) return;
    const key = JSON.stringify(fields);
    if (this.#seenRows.has(key)) this.#duplicateRows += 1;
    else if (this.#seenRows.size < maxTrackedRows) this.#seenRows.add(key);
    else {
      this.#duplicateRows = null;
      this.#seenRows.clear();
      this.#warnings.push(`More than ${maxTrackedRows} different rows: duplicates are no longer counted.`);
    }
  }

  result() {
    if (this.#columns === null) throw new Error('the file has no rows.');
    const { file, encoding, header } = this.#options;
    if (this.#raggedRows > 0)
      this.#warnings.push(
        `${this.#raggedRows} ${this.#raggedRows === 1 ? 'row does' : 'rows do'} not have ${this.#columns.length} fields: check delimiter and quotes.`,
      );
    if (this.#unclosedQuote !== null)
      this.#warnings.push(`A quote opened in line ${this.#unclosedQuote} is never closed; everything behind it is one field.`);
    if (this.#replacementCharacters > 0) this.#warnings.push(`The text is not clean ${encoding}: try --encoding windows-1252.`);
    if (this.#columns.length === 1) this.#warnings.push('There is only one column: if that is not meant, pass --delimiter.');
    return {
      file,
      bytes: this.bytes,
      encoding,
      byteOrderMark: this.byteOrderMark,
      delimiter: this.delimiter,
      lineEnds: this.#lineEnds,
      header,
      rows: this.#rows,
      emptyLines: this.#emptyLines,
      truncated: this.truncated,
      raggedRows: this.#raggedRows,
      raggedExamples: this.#raggedExamples,
      duplicateRows: this.#duplicateRows,
      unclosedQuote: this.#unclosedQuote,
      replacementCharacters: this.#replacementCharacters,
      warnings: this.#warnings,
      columns: this.#columns.map((column) => column.result(this.#rows)),
    };
  }
}
