import { identityOfSkill, identityOptions, skillKey } from '../../contract/skill-identity.ts';
import type { Skill, SkillCallOptions, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { grantsByTrust } from '../../policy/approvals/skill-grants.ts';
import type { Audience } from '../../policy/audience.ts';
import { listedIdentity, type PresentSkills, type SelectedListing } from '../../policy/in-force.ts';
import { readSkillMd } from '../../providers/digest/read-skill-md.ts';
import { sha256Hex } from '../../providers/digest/sha256-hex.ts';
import { isSha256Hex, skillDigestFromFileDigests } from '../../providers/digest/skill-digest.ts';
import { readListing } from '../../providers/read-listing.ts';
import { revisionOf } from '../../state/revision.ts';

/** What {@link presentListing} needs. */
export interface PresentListingRequest {
  readonly provider: SkillProvider;
  /** As the session was opened with it. */
  readonly opened: SelectedListing;
  /** What is there for this request, and what it may load, as the host says now. */
  readonly audience: Audience;
  /** Called once if the source lists other skills than those that the session was opened with. */
  readonly changed: () => void;
  /** How long a source may leave its listing unconfirmed. */
  readonly maxUnconfirmedMs: number;
  /** What a content may do. @default by trust */
  readonly grantsOf?: PresentSkills['grantsOf'] | undefined;
}

/** Older listings are read again for a judgement: sessions may span many steps. */
const maxListingAgeMs = 5_000;

/** What the source has, for the judgements of one session. */
export interface PresentListing extends PresentSkills {
  /** Whether the listing is everything that the source has. */
  readonly isComplete: boolean;
  /** A skill that was just loaded: what is known of it by then is no older than this. */
  seen(skill: SkillMetadata, content: string | null): void;
}

/** Asks the source, within its caches, for what it has now. */
export function presentListing(request: PresentListingRequest): PresentListing {
  const { provider, opened, audience, changed, maxUnconfirmedMs } = request;
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
    mayLoad: (skill) => audience.mayDo('load', skill),
    isExpired(skill) {
      const since = current.listing.unconfirmed?.[identityOfSkill(skill).source];
      return since !== undefined && Date.now() - since >= maxUnconfirmedMs;
    },
    grantsOf: request.grantsOf ?? (async (skill) => grantsByTrust(skill)),
    get isComplete() {
      return current.listing.complete;
    },
    async contentOf(skill, loaded, options) {
      const pinned = loaded.content ?? undefined;
      const told = await provider.contentOf?.(skill.name, { ...identityOptions(skill), content: pinned, ...options });
      if (told !== undefined) return told;
      if (provider.contentOf === undefined && skill.content !== undefined) return skill.content;
      const key = skillKey(skill);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const found = await provider.getSkill(skill.name, { ...identityOptions(skill), ...options });
      if (found === null || skillKey(found) !== key) return undefined;
      const content = await contentOfSkill(provider, found, options);
      asked.set(key, content);
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

/**
 * Returns the content of a skill that was fetched: what the source says, else computed from the
 * digests of its files; `null` for an unpinned skill. Of the files only `SKILL.md` is read.
 *
 * @throws what the provider rejects with
 */
export async function contentOfSkill(provider: SkillProvider, skill: Skill, { signal }: SkillCallOptions = {}): Promise<string | null> {
  if (skill.content === null) return null;
  if (skill.content !== undefined && isSha256Hex(skill.content)) return skill.content;
  const digests: [string, string][] = [];
  for (const { path, digest } of skill.resources) {
    if (path === 'SKILL.md') continue;
    if (digest === undefined || !isSha256Hex(digest)) return null;
    digests.push([path, digest]);
  }
  const { bytes } = await readSkillMd(provider, skill, { signal });
  return await skillDigestFromFileDigests(Object.fromEntries([['SKILL.md', await sha256Hex(bytes)], ...digests]));
}
