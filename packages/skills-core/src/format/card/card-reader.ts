import type { SkillDiagnostic } from '../../contract/skill-provider.ts';
import { DiagnosticList } from '../../contract/diagnostic-list.ts';
import { fieldOf, isJsonObject, type JsonObject } from '../../contract/json-object.ts';

/** The fields that are not among `known`; `undefined` where there are none. */
export function otherFields(object: JsonObject, known: readonly string[]): { readonly other?: JsonObject } {
  const rest = Object.entries(object).filter(([name]) => !known.includes(name));
  return rest.length === 0 ? {} : { other: Object.fromEntries(rest) };
}

/** Collects what is wrong with one card while it is read. */
export class CardReader {
  readonly #found = new DiagnosticList();
  readonly #url: string | undefined;
  #skill: string | undefined;

  constructor(url: string | undefined) {
    this.#url = url;
  }

  get diagnostics(): readonly SkillDiagnostic[] {
    return this.#found.all;
  }

  /** From here on, diagnostics name the skill. */
  named(skill: string): void {
    this.#skill = skill;
  }

  report(severity: SkillDiagnostic['severity'], code: string, message: string, fix?: string): void {
    this.#found.add({
      code,
      severity,
      message,
      ...(this.#skill !== undefined && { skill: this.#skill }),
      ...(this.#url !== undefined && { path: this.#url }),
      ...(fix !== undefined && { fix }),
    });
  }

  /** A trimmed text; a number is read as text. `undefined` where there is none. */
  text(object: JsonObject, name: string, where: string): string | undefined {
    const value = fieldOf(object, name);
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    if (typeof value === 'number') {
      this.report('warning', 'card-field', `${where}.${name} is the number ${value}; it is read as text.`, `Write "${value}" in quotes.`);
      return String(value);
    }
    if (value !== undefined && value !== null)
      this.report('warning', 'card-field', `${where}.${name} is not text: ${preview(value)}. It is ignored.`, 'Give a string.');
    return undefined;
  }

  /** A map of texts. Entries that are not text are left out. */
  textMap(object: JsonObject, name: string, where: string): Record<string, string> {
    const value = fieldOf(object, name);
    if (value === undefined || value === null) return {};
    if (!isJsonObject(value)) {
      this.report(
        'warning',
        'card-field',
        `${where}.${name} is not an object: ${preview(value)}. It is ignored.`,
        'Give an object of strings.',
      );
      return {};
    }
    return Object.fromEntries(
      Object.keys(value).flatMap((key) => {
        const text = this.#verbatim(value, key, `${where}.${name}`);
        return text === undefined ? [] : [[key, text]];
      }),
    );
  }

  /** A list of texts. Elements that are not text are left out. */
  textList(object: JsonObject, name: string, where: string): string[] {
    const value = fieldOf(object, name);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.report('warning', 'card-field', `${where}.${name} is not a list: ${preview(value)}. It is ignored.`, 'Give a list of strings.');
      return [];
    }
    return value.flatMap((element: unknown, index) => {
      if (typeof element === 'string') return [element];
      this.report(
        'warning',
        'card-field',
        `${where}.${name}[${index}] is not text: ${preview(element)}. It is left out.`,
        'Give a string.',
      );
      return [];
    });
  }

  /** The objects of a map, by key. */
  objects(object: JsonObject, name: string, where: string): [string, JsonObject][] {
    const value = fieldOf(object, name);
    if (value === undefined || value === null) return [];
    if (!isJsonObject(value)) {
      this.report('warning', 'card-field', `${where}.${name} is not an object: ${preview(value)}. It is ignored.`, 'Give an object.');
      return [];
    }
    return Object.entries(value).flatMap(([key, entry]): [string, JsonObject][] => {
      if (isJsonObject(entry)) return [[key, entry]];
      this.report(
        'warning',
        'card-field',
        `${where}.${name}.${key} is not an object: ${preview(entry)}. It is left out.`,
        'Give an object.',
      );
      return [];
    });
  }

  #verbatim(object: JsonObject, key: string, where: string): string | undefined {
    const value = fieldOf(object, key);
    // Blanks may matter in a header or a variable, so nothing is trimmed here.
    return typeof value === 'string' ? value : this.text(object, key, where);
  }
}

/** A value for a message: its beginning, as JSON. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
