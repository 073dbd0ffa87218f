import type { SkillAdapterUnderTest } from '../adapter-under-test.ts';
import { assert, assertEqual } from '../../conformance/assert.ts';
import { inCodeLibraries } from './parity-library.ts';
import type { Happened, ParityVariant } from './parity-world.ts';
import { playReference } from './plain-loop.ts';
import { playConversation } from './play-conversation.ts';

/** Checks that a model is given what the reference gives it, and names the first difference. */
export async function checkParity(adapter: SkillAdapterUnderTest, variant: ParityVariant): Promise<void> {
  const provider = inCodeLibraries();
  const [wantedEvents, events]: [Happened, Happened] = [[], []];
  const expected = await playReference(provider, variant, wantedEvents);
  const played = await playConversation(adapter, provider, variant, events);
  for (const [index, wanted] of expected.entries()) {
    const given = played[index];
    const call = `call ${index + 1} of the model`;
    assert(given !== undefined, `The model was called ${played.length} times instead of ${expected.length} times.`);
    assertEqual(given.system, wanted.system, `The system prompt of ${call}`);
    assertEqual(given.tools, wanted.tools, `The tools of ${call}`);
    for (const [at, message] of wanted.messages.entries()) assertEqual(given.messages[at], message, `Message ${at + 1} of ${call}`);
    assertEqual(given.messages.length, wanted.messages.length, `The number of messages of ${call}`);
    assertEqual(given.state, wanted.state, `The state at ${call}`);
  }
  assertEqual(inOrder(events), inOrder(wantedEvents), 'What is told of skills');
}

/**
 * Calls of one step may run in any order. What is restored is told in each request in which it is.
 */
function inOrder(happened: Happened): readonly string[] {
  const texts = happened.map((each) => JSON.stringify(each)).toSorted();
  return texts.filter((text, index) => !text.includes('"skill_restored"') || text !== texts[index - 1]);
}
