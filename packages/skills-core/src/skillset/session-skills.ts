import type { SkillCallOptions, SkillListing, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import { identityOfSkill, identityOptions, skillKey } from '../contract/skill-identity.ts';
import { readListing } from '../providers/read-listing.ts';
import { grantsByTrust } from '../policy/approvals/skill-grants.ts';
import { listedIdentity } from '../policy/in-force.ts';
import { revisionOf } from '../state/revision.ts';
import { presentContentOf } from '../tools/pinned/content-of-skill.ts';
import type { SessionSkills } from '../tools/tool-environment.ts';
import type { Audience } from './audience.ts';

/** A listing, and what the host selects of it for this request. */
export interface SelectedListing {
  readonly listing: SkillListing;
  readonly selected: readonly SkillMetadata[];
}

/** What {@link sessionSkills} needs. */
export interface SessionSkillsRequest {
  readonly provider: SkillProvider;
  /** As the session was opened with it. */
  readonly opened: SelectedListing;
  /** What is there for this request, and what it may load, as the host says now. */
  readonly audience: Pick<Audience<never>, 'of' | 'ask'>;
  /** Called once if the source lists other skills than those that the session was opened with. */
  readonly changed: () => void;
  /** How long a source may leave its listing unconfirmed. */
  readonly maxUnconfirmedMs: number;
  /** What a content may do. @default by trust */
  readonly grantsOf?: SessionSkills['grantsOf'] | undefined;
}

/** Older listings are read again for a judgement: sessions may span many steps. */
const maxListingAgeMs = 5_000;

/** What the source has, for the judgements of one session. */
export interface PresentListing extends SessionSkills {
  /** The listing, read again if it is too old. */
  now(options?: SkillCallOptions): Promise<SelectedListing>;
}

/** Asks the source, within its caches, for what it has now. */
export function sessionSkills({ provider, opened, audience, changed, grantsOf, maxUnconfirmedMs }: SessionSkillsRequest): PresentListing {
  let current = opened;
  let readAt = Date.now();
  let isChanged = false;
  /** What `getSkill` told, for sources that cannot tell their contents otherwise. */
  const asked = new Map<string, string | null>();

  async function now(options: SkillCallOptions = {}): Promise<SelectedListing> {
    if (Date.now() - readAt < maxListingAgeMs) return current;
    const listing = await readListing(provider, options);
    readAt = Date.now();
    asked.clear();
    if (listing !== current.listing) current = { listing, selected: Object.freeze(await audience.of(listing.skills)) };
    if (!isChanged && listing !== opened.listing && namesIn(current) !== namesIn(opened)) {
      isChanged = true;
      changed();
    }
    return current;
  }

  return {
    now,
    mayLoad: async (skill) => (await audience.ask('load', skill)).allowed,
    isExpired(skill) {
      const since = current.listing.unconfirmed?.[identityOfSkill(skill).source];
      return since !== undefined && Date.now() - since >= maxUnconfirmedMs;
    },
    grantsOf: grantsOf ?? (async (skill) => grantsByTrust(skill)),
    get isComplete() {
      return current.listing.complete;
    },
    listed: async (options) => (await now(options)).selected,
    async contentOf(skill, loaded, options) {
      const pinned = loaded.content ?? undefined;
      const told = await provider.contentOf?.(skill.name, { ...identityOptions(skill), content: pinned, ...options });
      if (told !== undefined) return told;
      if (provider.contentOf === undefined && skill.content !== undefined) return skill.content;
      const key = skillKey(skill);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const content = await presentContentOf(provider, skill, options);
      if (content !== undefined) asked.set(key, content);
      return content;
    },
    seen(skill, content) {
      asked.set(skillKey(skill), content);
      const listed = listedIdentity(current.selected, skill.name, { ...identityOfSkill(skill), version: skill.version });
      // The listing is older than what was loaded, or what was loaded is not listed any more.
      if (listed === undefined || revisionOf(listed, content) !== revisionOf(skill, content)) readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** What the texts of a session depend on: which skills there are. */
const namesIn = ({ selected }: SelectedListing): string => JSON.stringify(selected.map((skill) => [skill.name, skill.version]));
