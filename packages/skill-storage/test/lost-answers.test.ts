import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

/** Writes the pointer, and then says that the condition does not hold: as where an answer is lost on the way, and a client sends the request again. */
function loseAnswer(store: MemoryStore): void {
  const { put } = store;
  store.put = async function (key, bytes, options) {
    const isWritten = await put.call(this, key, bytes, options);
    if (key !== 'current.json' || !isWritten) return isWritten;
    store.put = put;
    return false;
  };
}

describe('SRC-9: a pointer that was written, and whose answer was lost', () => {
  it.each([0, 1])('is no other publisher (%i releases before)', async (releases) => {
    const store = new MemoryStore();
    const before = releases === 0 ? null : (await publishSkillsToStorage(store, generation(0))).release;
    loseAnswer(store);
    const published = await publishSkillsToStorage(store, generation(1));
    expect(published).toMatchObject({ replaced: before, changed: true });
    const pointer = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as unknown;
    expect(pointer).toEqual({ form: 1, release: published.release, previous: before === null ? [] : [before] });
  });

  it('has gone back', async () => {
    const store = new MemoryStore();
    const [first, second] = [await publishSkillsToStorage(store, generation(1)), await publishSkillsToStorage(store, generation(2))];
    loseAnswer(store);
    expect(await rollbackSkills(store)).toEqual({ release: first.release, replaced: second.release });
    expect(await generationsSeen(storageSkillProvider({ store }))).toEqual([1]);
  });
});

describe('SRC-9: rollback', () => {
  it('asks for more of an id that two releases start with', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const ids = ['a', 'ab'].map((start) => start.padEnd(64, '0'));
    const { release } = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as { release: string };
    await store.put('current.json', new TextEncoder().encode(JSON.stringify({ form: 1, release, previous: ids })));
    const call = rollbackSkills(store, { to: 'a' });
    await expect(call).rejects.toMatchObject({ code: 'invalid-options', message: expect.stringMatching(/2 .*a0{63}.*ab0{62}/) });
  });
});
