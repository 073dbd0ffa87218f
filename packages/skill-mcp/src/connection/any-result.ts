/**
 * A schema that accepts any result unchanged, in the forms that both generations of the official
 * SDK understand.
 */
export interface AnyResultSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
  };
  readonly parse: (value: unknown) => unknown;
  readonly safeParse: (value: unknown) => { readonly success: true; readonly data: unknown };
}

/**
 * The provider checks results one entry at a time, so that one bad entry does not invalidate the
 * others.
 */
export const anyResult: AnyResultSchema = {
  '~standard': { version: 1, vendor: 'repertoire', validate: (value) => ({ value }) },
  parse: (value) => value,
  safeParse: (value) => ({ success: true, data: value }),
};
