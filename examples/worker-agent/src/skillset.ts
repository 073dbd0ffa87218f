import { httpSkillProvider } from '@repertoire/skill-http';
import { r2SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
import { composeProviders, createSkillset, SkillRegistry, type Skillset } from '@repertoire/skills-core';
import { env, waitUntil } from 'cloudflare:workers';
import { skills } from './skills.gen.ts';

const minute = 60_000;

/** Deployed with the Worker, in the same review as the tools that these skills open. */
const own = new SkillRegistry({ skills, label: 'own' });

/** Written by the team, and published to the bucket at any time. */
const team = storageSkillProvider({ label: 'team', store: r2SkillStore(env.SKILLS), trusted: true });

/** Skills of the company that carries the parcels. They can be read, and open nothing. */
const carrier = (url: string) =>
  httpSkillProvider({
    label: 'carrier',
    url,
    minFreshMs: minute,
    staleWhileRevalidateMs: 60 * minute,
    waitUntil,
    // A site on this machine, for `wrangler dev`.
    ...(url.startsWith('http://127.0.0.1') && { allowHttp: true, allowPrivateAddresses: true }),
  });

/**
 * The skills of all three sources. It is a module variable, so that later requests use what earlier
 * ones read. If two skills have the same name, the first one wins. A source that does not answer in
 * time is left out and reported.
 */
export const skillset: Skillset = createSkillset({
  provider: composeProviders([own, team, ...(env.CARRIER_SKILLS_URL === '' ? [] : [carrier(env.CARRIER_SKILLS_URL)])], { timeoutMs: 5000 }),
  gates: { tools: ['refund_order'] },
});
