import { fieldOf, isJsonObject, jsonWithList, type JsonObject } from '@repertoire/skills-core/internal';

/** Version of the stored format. A reader rejects unknown versions. */
const formVersion = 1;

/** A stored document that cannot be used, and why. */
export class FormError extends Error {
  override readonly name = 'FormError';
  /** Whether another version of the library may be able to read it. */
  readonly isOtherForm: boolean;

  constructor(message: string, isOtherForm: boolean = false) {
    super(message);
    this.isOtherForm = isOtherForm;
  }
}

/** Serializes a document. Its digest is that of these bytes. */
export function documentBytes(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ form: formVersion, ...value }));
}

/** The same for a document with a long list, which is written in slices. */
export async function listDocumentBytes(key: string, list: readonly JsonObject[], after: JsonObject): Promise<Uint8Array> {
  return await jsonWithList({ form: formVersion }, key, list, after);
}

/**
 * Parses a stored document.
 *
 * @throws {FormError} for anything but a JSON object of this format version
 */
export function parseDocument(bytes: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new FormError('is no JSON');
  }
  if (!isJsonObject(value)) throw new FormError('is no JSON object');
  const form = fieldOf(value, 'form');
  if (form !== formVersion) {
    throw new FormError(`has the form ${JSON.stringify(form)}, and this version of the library reads ${formVersion}`, form !== undefined);
  }
  return value;
}

/** Whether a value is a size in bytes. */
export function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
