import { emptySkillState, type SkillAnswer, type SkillGrant, type SkillQuestion } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { changingSource, deskOf, helper, sharedStore, type Desk } from '../../helpers/approval-world.ts';

const programs = 150;
const steps = 24;
const allGrants: readonly SkillGrant[] = ['load', 'tools', 'allowed-tools', 'model', 'code-tools'];
const load = { name: 'helper' };

/** What a person said, as the rules have it: nothing that is not in here may have an effect. */
interface Said {
  readonly variant: number;
  readonly grants: ReadonlySet<SkillGrant>;
  /** It holds for the conversation, also when the skill is loaded again. */
  readonly lasts?: boolean;
  readonly never?: boolean;
}

interface Conversation {
  readonly name: string;
  readonly tenant: string;
  desk: Desk;
  /** The content that is loaded, and what was said of this load. */
  loaded: Said | undefined;
}

/** mulberry32: the same programs each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 1_000_003) % below;
  };
}

/** Contents that differ in the body, in a file, or in what they ask for. */
const variants = [0, 1, 2].map((variant) =>
  helper({
    body: `Words of ${variant === 2 ? 1 : variant}.`,
    resources: { 'guide.md': `Guide of ${variant}.` },
    ...(variant === 1 && { tools: ['pay', 'other'] }),
  }),
);
const wordsOf = (variant: number) => [`Words of ${variant === 2 ? 1 : variant}.`, `Guide of ${variant}.`];

async function play(seed: number, seen: Map<string, number>): Promise<void> {
  const pick = random(seed);
  const one = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  const { provider, replace } = changingSource([variants[0]!]);
  const store = sharedStore();
  let present = 0;
  const remembered = new Map<string, Said>();
  /** Yeses to calls that were not made yet, by conversation, call and content. */
  const waiting = new Map<string, Said>();
  const start = (tenant: string, conversation: string, from = emptySkillState) =>
    deskOf<{ tenant: string }>(provider, { store, scope: (context) => context.tenant }, { context: { tenant }, conversation, from });
  const talks: Conversation[] = ['a', 'a', 'b'].map((tenant, index) => ({
    name: String(index),
    tenant,
    desk: start(tenant, String(index)),
    loaded: undefined,
  }));

  const mayDo = ({ tenant, loaded }: Conversation, grant: SkillGrant): boolean => {
    const kept = remembered.get(tenant);
    if (loaded === undefined || loaded.variant !== present) return false;
    return loaded.grants.has(grant) || (kept?.variant === present && kept.grants.has(grant));
  };
  /** A text shows nothing of a content whose showing nobody approved. */
  const assertShown = (text: string, { tenant, loaded }: Conversation, where: string): void => {
    for (const variant of [0, 1, 2]) {
      const shown = wordsOf(variant).filter((words) => text.includes(words));
      if (shown.length === 0) continue;
      count('shown');
      const said = [loaded, remembered.get(tenant)].filter((each) => each?.grants.has('load'));
      const isSaid = shown.every((words) => said.some((each) => each !== undefined && wordsOf(each.variant).includes(words)));
      expect(isSaid, `${where}: ${text}`).toBe(true);
    }
  };

  for (let step = 0; step < steps; step += 1) {
    const talk = one(talks);
    const id = `c${pick(4)}`;
    const where = `program ${seed}, step ${step}`;
    switch (pick(9)) {
      case 0: {
        present = pick(3);
        replace(variants[present]!);
        break;
      }
      case 1: // A restart: state and store go through JSON, everything else is gone.
        talk.desk = start(talk.tenant, talk.name, JSON.parse(JSON.stringify(talk.desk.state)) as never);
        break;
      case 2:
      case 3:
      case 4: {
        const answer = one<SkillAnswer['answer']>(['once', 'conversation', 'content', 'never', 'no']);
        const grants = new Set(allGrants.filter(() => pick(3) > 0));
        const isLate = pick(5) === 0;
        let asked: SkillQuestion | undefined;
        const before = present;
        const { text } = await talk.desk.call('load_skill', load, id, (question) => {
          asked = question;
          if (isLate) {
            present = (present + 1) % 3;
            replace(variants[present]!);
          }
          return { answer, grants: [...grants] };
        });
        const kept = remembered.get(talk.tenant);
        // A text that stands already is not given again; the load is a new one all the same.
        const isLoaded = text.includes('<skill_content') || text.includes('already active');
        if (asked !== undefined) {
          count('asked');
          // The question told everybody that another content is there.
          expect(kept?.never, where).not.toBe(true);
          if (kept !== undefined && kept.variant !== before) remembered.delete(talk.tenant);
          if (answer === 'content' || answer === 'never') {
            remembered.set(talk.tenant, { variant: before, grants: answer === 'never' ? new Set() : grants, never: answer === 'never' });
          }
          // An answer in time is carried out with what was asked about.
          const standing = talk.loaded?.lasts === true && talk.loaded.variant === before ? talk.loaded.grants : new Set<SkillGrant>();
          const given = answer === 'once' || answer === 'conversation' ? new Set([...grants, ...standing]) : new Set<SkillGrant>();
          const said = { variant: before, grants: given, lasts: answer === 'conversation' };
          if (isLoaded) talk.loaded = said;
          else if (isLate && (answer === 'once' || answer === 'conversation')) waiting.set(`${talk.name} ${id} ${before}`, said);
          if (isLate && (answer === 'once' || answer === 'conversation')) expect(isLoaded, where).toBe(false);
        } else if (isLoaded) {
          count('loaded unasked');
          const yes = waiting.get(`${talk.name} ${id} ${present}`);
          const standing = talk.loaded?.variant === present && talk.loaded.grants.has('load');
          expect(yes !== undefined || standing || (kept?.variant === present && kept.grants.has('load')), where).toBe(true);
          const rests = yes ?? (standing ? talk.loaded : undefined);
          talk.loaded = rests ?? { variant: present, grants: new Set() };
          waiting.delete(`${talk.name} ${id} ${present}`);
        }
        assertShown(text, talk, where);
        break;
      }
      case 5: {
        const { text } = await talk.desk.call('read_skill_file', { skill: 'helper', path: 'guide.md' }, id);
        assertShown(text, talk, where);
        break;
      }
      case 6: {
        const { text } = await talk.desk.call('unload_skill', load, id);
        if (text.includes('no longer active')) {
          expect(mayDo(talk, 'code-tools'), where).toBe(true);
          talk.loaded = undefined;
        }
        break;
      }
      default: {
        const effects: readonly (readonly [SkillGrant, boolean])[] = [
          ['tools', (await talk.desk.judge('pay')) === 'allowed'],
          ['allowed-tools', (await talk.desk.judge('search')) === 'pre-approved'],
          ['model', (await talk.desk.model()) === 'large'],
          ['code-tools', talk.loaded !== undefined && (await talk.desk.judge('bash', { command: String(step) }, id)) === 'allowed'],
        ];
        for (const [grant, has] of effects) {
          if (!has) continue;
          count(grant);
          expect(mayDo(talk, grant), `${where}: ${grant}`).toBe(true);
        }
      }
    }
  }
}

describe('random programs of approvals', () => {
  it('APR-12: nothing outside a grant for exactly this content has an effect', async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= programs; seed += 1) await play(seed, seen);
    // The programs reach what they are about.
    for (const what of ['asked', 'loaded unasked', 'shown', 'tools', 'allowed-tools', 'model', 'code-tools']) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(20);
    }
  });
});
