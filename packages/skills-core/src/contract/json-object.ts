/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether a value is an object of JSON: neither `null` nor a list.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own fields only, so that `constructor` and `__proto__` are data like any other. */
export function fieldOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
