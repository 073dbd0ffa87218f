import { httpSkillProvider } from '@repertoire/skill-http';
import { r2SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
import { composeProviders, createSkillset, inCodeSkillProvider, type Skillset } from '@repertoire/skills-core';
import { env, waitUntil } from 'cloudflare:workers';
import { skills } from './skills.gen.ts';

const minute = 60_000;

/** Deployed with the Worker: read at once, and in the same review as the tools that they open. */
const own = inCodeSkillProvider(skills, { label: 'own' });

/** Written by the team, and published to the bucket whenever it likes. */
const team = storageSkillProvider({ label: 'team', store: r2SkillStore(env.SKILLS), trusted: true });

/** Of the company that carries the parcels. Its skills are read, and open nothing. */
const carrier = (url: string) =>
  httpSkillProvider({
    label: 'carrier',
    url,
    minFreshMs: minute,
    staleWhileRevalidateMs: 60 * minute,
    waitUntil,
    // A site on this machine, beside `wrangler dev`.
    ...(url.startsWith('http://127.0.0.1') && { allowHttp: true, allowPrivateAddresses: true }),
  });

/**
 * The skills of all three. It stands in the module, so that what one request has read serves the next. Of two skills with one name, the first one wins. A source
 * that does not answer in time is left out, and named in the diagnostics.
 */
export const skillset: Skillset = createSkillset({
  provider: composeProviders([own, team, ...(env.CARRIER_SKILLS_URL === '' ? [] : [carrier(env.CARRIER_SKILLS_URL)])], { timeoutMs: 5000 }),
  gatedTools: ['refund_order'],
});
