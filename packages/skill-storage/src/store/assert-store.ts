import { SkillError } from '@repertoire/skills-core';

/**
 * Rejects a value that is not a store, such as a bare binding of a Worker.
 *
 * @throws {SkillError} `invalid-options`
 */
export function assertStore(of: string, store: unknown): void {
  const methods = ['get', 'put', 'list', 'delete'];
  const isStore =
    typeof store === 'object' &&
    store !== null &&
    'label' in store &&
    methods.every((method) => typeof Reflect.get(store, method) === 'function');
  if (isStore) return;
  throw new SkillError(
    'invalid-options',
    `${of} was given no store. Give what r2SkillStore, kvSkillStore, s3SkillStore or unstorageSkillStore return, or an object with a label and ${methods.join(', ')}.`,
  );
}
