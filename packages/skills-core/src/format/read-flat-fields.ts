import { CST, Lexer } from 'yaml';
import type { SkillFieldValue } from '../contract/skill-provider.ts';
import type { YamlEntry } from './yaml-reading.ts';

/** What the lexer puts before a plain or block scalar. It takes no room in the text. */
const scalarMark = '\u001F';
const documentMark = '\u0002';

/** Keys that mean the same wherever they stand; any other is left to the parser. */
const plainKey = /^[A-Za-z_][\w.-]{0,99}$/;

/** A token of the lexer, and where it stands. */
interface Place {
  readonly token: string;
  readonly offset: number;
}

/**
 * Reads frontmatter of the plainest shape from the tokens of `yaml`'s own lexer: top-level fields of one value each, and maps and lists of one-line values one level
 * below. What a value says is `yaml`'s to decide as well; left out is the building of a document, which is most of the work. Nearly all real frontmatter is of this
 * shape, and ten thousand of them may be read at a start.
 *
 * @returns the same as the parser, or `null` for every other shape, and for all that has an error or a comment
 */
export function readFlatFields(text: string, typedKeys: ReadonlySet<string>): YamlEntry[] | null {
  const reader = new TokenReader(text);
  const entries: YamlEntry[] = [];
  const seen = new Set<string>();
  while (!reader.atEnd()) {
    const offset = reader.offset();
    const key = reader.key();
    if (key === null || seen.has(key) || typedKeys.has(key)) return null;
    seen.add(key);
    const from = reader.offset();
    const value = reader.value() ?? reader.block();
    if (value === null) return null;
    entries.push({ key, value, offset, written: text.slice(from, reader.offset()).trim(), comment: undefined });
  }
  return entries.length === 0 ? null : entries;
}

class TokenReader {
  readonly #places: readonly Place[];
  readonly #length: number;
  #at = 0;

  constructor(text: string) {
    this.#places = placesOf(text);
    this.#length = text.length;
  }

  atEnd(): boolean {
    return this.#at >= this.#places.length;
  }

  offset(): number {
    return this.#places[this.#at]?.offset ?? this.#length;
  }

  /** A key and its colon; `null`, without moving, for anything else. */
  key(): string | null {
    const key = this.#peek(1);
    if (this.#peek() !== scalarMark || key === undefined || this.#peek(2) !== ':' || !plainKey.test(key)) return null;
    this.#at += 3;
    return key;
  }

  /** The value that follows on the line, up to and with its end; `null`, without moving, where there is none or it is not plain. */
  value(): string | null {
    const start = this.#at;
    if (isSpaces(this.#peek())) this.#at += 1;
    const value = this.#scalar();
    if (value !== null && this.#lineEnd()) return value;
    this.#at = start;
    return null;
  }

  /** The map or list below a key without a value. */
  block(): SkillFieldValue | null {
    if (!this.#lineEnd()) return null;
    const indent = this.#indent();
    const isList = this.#peek(indent === '' ? 0 : 1) === '-';
    if (indent === '' && !isList) return null;
    const items: string[] = [];
    const map = Object.create(null) as Record<string, string>;
    do {
      if (indent !== '') this.#at += 1;
      let key: string | null = null;
      if (isList) {
        if (this.#peek() !== '-') return null;
        this.#at += 1;
      } else {
        key = this.key();
        if (key === null || key in map) return null;
      }
      const value = this.value();
      if (value === null) return null;
      if (key === null) items.push(value);
      else map[key] = value;
    } while (!this.atEnd() && (indent === '' ? this.#peek() === '-' : this.#indent() === indent));
    // Deeper or shallower lines are another shape.
    if (!this.atEnd() && this.#peek() !== scalarMark) return null;
    return isList ? items : map;
  }

  #peek(ahead = 0): string | undefined {
    return this.#places[this.#at + ahead]?.token;
  }

  #indent(): string {
    const token = this.#peek();
    return isSpaces(token) ? token : '';
  }

  #scalar(): string | null {
    const { token, offset } = this.#places[this.#at] ?? { token: '', offset: 0 };
    if (token === scalarMark) {
      const source = this.#peek(1) ?? '';
      if (source.includes('\n')) return null;
      this.#at += 2;
      return resolve({ type: 'scalar', offset, indent: 0, source });
    }
    if (token.startsWith('"') || token.startsWith("'")) {
      if (token.includes('\n')) return null;
      this.#at += 1;
      return resolve({ type: token.startsWith('"') ? 'double-quoted-scalar' : 'single-quoted-scalar', offset, indent: 0, source: token });
    }
    // A block text: its header, the end of the line, its lines.
    if (/^[>|]/.test(token) && this.#peek(1) === '\n' && this.#peek(2) === scalarMark) {
      const source = this.#peek(3) ?? '';
      this.#at += 4;
      return resolve({
        type: 'block-scalar',
        offset,
        indent: 0,
        source,
        props: [{ type: 'block-scalar-header', offset, indent: 0, source: token }],
      });
    }
    return null;
  }

  /** Passes the end of a line, and blanks before it. A block text has passed its own. */
  #lineEnd(): boolean {
    if (this.atEnd() || this.#endsLine(this.#at - 1)) return true;
    const next = isSpaces(this.#peek()) ? 1 : 0;
    if (this.#places.length === this.#at + next) {
      this.#at += next;
      return true;
    }
    if (this.#peek(next) !== '\n') return false;
    this.#at += next + 1;
    return true;
  }

  #endsLine(at: number): boolean {
    const token = this.#places[at]?.token;
    return token !== undefined && token.length > 1 && token.endsWith('\n') && this.#places[at - 1]?.token === scalarMark;
  }
}

function placesOf(text: string): Place[] {
  const places: Place[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === documentMark) continue;
    places.push({ token, offset });
    if (token !== scalarMark) offset += token.length;
  }
  return places;
}

function isSpaces(token: string | undefined): token is string {
  return token !== undefined && /^ +$/.test(token);
}

function resolve(token: CST.FlowScalar | CST.BlockScalar): string | null {
  let failed = false;
  const scalar = CST.resolveAsScalar(token, true, () => {
    failed = true;
  });
  return failed || scalar === null ? null : scalar.value;
}
