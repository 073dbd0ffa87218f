/** Accepts any result unchanged, for both generations of the official SDK. */
export interface AnyResultSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
  };
  readonly parse: (value: unknown) => unknown;
  readonly safeParse: (value: unknown) => { readonly success: true; readonly data: unknown };
}

/** The provider checks entries one by one, so that a bad one does not invalidate the others. */
export const anyResult: AnyResultSchema = {
  '~standard': { version: 1, vendor: 'repertoire', validate: (value) => ({ value }) },
  parse: (value) => value,
  safeParse: (value) => ({ success: true, data: value }),
};
