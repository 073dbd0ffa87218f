/**
 * The message of whatever was thrown.
 *
 * @example
 * ```ts
 * import { messageOf } from '@repertoire/skills-core/internal';
 *
 * export const messages = [messageOf(new Error('down')), messageOf('down')]; // [ 'down', 'down' ]
 * ```
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
