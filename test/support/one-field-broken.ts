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

/**
 * What a reader says of a value in which one place at a time is wrong, as a table for a file beside
 * the test: a line for each place and each different answer, with what stood there. `(unnamed)`
 * marks an answer that does not name the place.
 *
 * @param read gives what is said of a value: codes, each with its message; nothing where it is
 *   taken
 */
export async function brokenTable(value: object, read: (broken: unknown) => Promise<readonly Told[]> | readonly Told[]): Promise<string> {
  const lines: string[] = [];
  for (const [place, cases] of Map.groupBy(oneFieldBroken(value), (broken) => broken.place)) {
    const answers = new Map<string, string[]>();
    for (const { given, value: broken } of cases) {
      const told = await read(broken);
      const key =
        place
          .replace(/\[\d+\]$/, '')
          .split(/[.[\]]+/)
          .findLast((part) => part !== '') ?? '';
      const isNamed = told.length === 0 || told.some(({ message }) => message.includes(key.replaceAll('"', '')));
      const answer = `${told.length === 0 ? 'taken' : told.map(({ code }) => code).join(', ')}${isNamed ? '' : ' (unnamed)'}`;
      answers.set(answer, [...(answers.get(answer) ?? []), given]);
    }
    for (const [answer, given] of answers) lines.push(`${place}: ${answer} <- ${given.join(' ')}`);
  }
  if (lines.length === 0) throw new Error('There is no field to break.');
  return `${lines.join('\n')}\n`;
}

/** What was said of a value. */
export interface Told {
  readonly code: string;
  readonly message: string;
}

/** What a call was refused with; nothing where it was not. */
export async function refusedWith(call: () => unknown): Promise<readonly Told[]> {
  try {
    await call();
    return [];
  } catch (error) {
    const { code, message } = error as Partial<Told>;
    return [{ code: code ?? `NOT REFUSED BY CODE: ${String(error)}`, message: message ?? '' }];
  }
}
