/** A value in which one place holds what it should not. */
export interface Broken {
  /** The place, as messages write it: `skills[0].files["a.md"]`. */
  readonly place: string;
  /** The place that it is in; empty for the whole. */
  readonly above: string;
  /** What stands there: nothing, or a value of another kind. */
  readonly given: string;
  readonly value: unknown;
}

const others: readonly unknown[] = [null, 7.5, true, 'no such text', ['a'], { a: 1 }];

/** The value with each of its places left out, and with a value of each other kind there. */
export function oneFieldBroken(value: object): readonly Broken[] {
  return places(value, '').flatMap(({ path, place, above, held }) => {
    const wrong = others.filter((other) => kindOf(other) !== kindOf(held));
    const without = replaced(value, path, undefined);
    return [
      { place, above, given: 'nothing', value: without },
      ...wrong.map((other) => ({ place, above, given: JSON.stringify(other), value: replaced(value, path, other) })),
    ];
  });
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly place: string;
  readonly above: string;
  readonly held: unknown;
}

function places(value: unknown, above: string, path: Place['path'] = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    const shown = typeof step === 'number' ? `[${step}]` : /^\w+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    const place = (above + shown).replace(/^\./, '');
    return [{ path: [...path, step], place, above, held }, ...places(held, place, [...path, step])];
  });
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

function replaced(value: unknown, [step, ...rest]: Place['path'], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    const list = value.map((item: unknown, index) => (index === step ? replaced(item, rest, by) : item));
    return list.filter((item) => item !== undefined);
  }
  const changed = { ...(value as Record<string, unknown>), [step]: replaced((value as Record<string, unknown>)[step], rest, by) };
  return Object.fromEntries(Object.entries(changed).filter(([, item]) => item !== undefined));
}
