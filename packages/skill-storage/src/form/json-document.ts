import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/provider';

/** Version of the form of everything that is stored; a reader refuses what it does not know. */
const formVersion = 1;

/** A stored document that cannot be used, and why. */
export class FormError extends Error {
  override readonly name = 'FormError';
  /** Whether it may be right for another version of the library. */
  readonly isOtherForm: boolean;

  constructor(message: string, isOtherForm: boolean = false) {
    super(message);
    this.isOtherForm = isOtherForm;
  }
}

/** Writes a document as the bytes that its digest is of. */
export function documentBytes(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ form: formVersion, ...value }));
}

/**
 * Reads a document of ours.
 *
 * @throws {FormError} for what is no JSON object of this form
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
