import type { SkillStore } from '@repertoire/skill-storage';

/** What a store does with bytes, sizes, more than a page of keys, and deletions. `count` keys are more than a page. */
export async function exerciseStore(store: SkillStore, count: number): Promise<unknown> {
  const bytes = new Uint8Array(3_000).map((_value, index) => (index * 7) & 255);
  const told = async (key: string, maxBytes?: number) => {
    const object = await store.get(key, { maxBytes });
    return object && { size: object.size, length: object.bytes.length, same: object.bytes.every((byte, index) => byte === bytes[index]) };
  };
  await store.put('unit/bytes', bytes);
  await store.put('unit/empty', new Uint8Array());
  const read = {
    whole: await told('unit/bytes'),
    cut: await told('unit/bytes', 5),
    beyond: await told('unit/bytes', 5_000),
    empty: await told('unit/empty', 5),
    none: await told('unit/none'),
  };
  const keys = Array.from({ length: count }, (_value, index) => `unit/many/${index}`);
  for (let start = 0; start < keys.length; start += 101) {
    await Promise.all(keys.slice(start, start + 101).map((key) => store.put(key, new Uint8Array([1, 2]))));
  }
  const listed = await store.list('unit/many/');
  await store.delete(keys);
  return {
    read,
    listed: new Set(listed.map(({ key }) => key)).size,
    sizes: [...new Set(listed.map(({ size }) => size))],
    left: (await store.list('unit/many/')).length,
    others: (await store.list('unit/')).map(({ key }) => key).sort(),
  };
}
