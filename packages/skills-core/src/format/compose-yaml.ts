import { Composer, Parser, Schema, type Document } from '#yaml';

/** What is wrong with a text, and where. */
export class YamlSyntaxError {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

type Place = number | readonly [number, number] | { readonly offset: number };

/** Kept, as the library makes one for each document otherwise. */
let schema: Schema | undefined;

/**
 * The one document of a text. It ends at the first error: the library goes on and makes an error
 * object for each, with a stack, and a text of a few hundred quotes or lines has hundreds of them.
 *
 * @throws {YamlSyntaxError} for the first thing that is wrong
 */
export function composeUntilError(text: string): Document.Parsed {
  // Duplicates are looked for by the caller, as the library's own check is quadratic.
  schema ??= new Schema({ schema: 'failsafe' });
  const composer = new Composer({ schema, prettyErrors: false, uniqueKeys: false });
  let first: Document.Parsed | undefined;
  let wrong: YamlSyntaxError | undefined;
  const onError = (place: Place, _code: string, message: string, warning?: boolean): void => {
    if (warning === true) return;
    // The library catches errors in a collection and reports them again for all of it.
    wrong ??= first === undefined ? new YamlSyntaxError(message, offsetOf(place)) : severalDocuments(offsetOf(place));
    // oxlint-disable-next-line typescript/only-throw-error -- an Error would collect a stack, which is most of the work
    throw wrong;
  };
  // The library has no option for it.
  Object.assign(composer, { onError });
  for (const document of composer.compose(new Parser().parse(text), true, text.length)) {
    // oxlint-disable-next-line typescript/only-throw-error -- as above
    if (first !== undefined) throw severalDocuments(document.range[0]);
    first = document;
  }
  // With `forceDoc` above, there is one for the empty text, too.
  return first as Document.Parsed;
}

function offsetOf(place: Place): number {
  if (typeof place === 'number') return place;
  return 'offset' in place ? place.offset : place[0];
}

function severalDocuments(offset: number): YamlSyntaxError {
  return new YamlSyntaxError('Source contains multiple documents; please use YAML.parseAllDocuments()', offset);
}
