import { findAlike, findSkill, noSuchVersion, skillNotFound, wantedVersion } from '../../catalog/find-skill.ts';
import { isModelInvocable, isUserInvocable, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import { deepFreeze } from '../../contract/deep-freeze.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { identityOfSkill, identityOptions, isFrom } from '../../contract/skill-identity.ts';
import type {
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillMetadata,
  SkillProvider,
  SkillResource,
} from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SessionEvents } from '../../events/session-events.ts';
import type { SkillActor } from '../../events/skill-activity.ts';
import { grantsByTrust, type SkillGrants } from '../../policy/approvals/skill-grants.ts';
import type { Audience } from '../../policy/audience.ts';
import { admitLoaded, changeOf, type SkillChangeReason } from '../../policy/in-force.ts';
import { skillChangedText } from '../../prompt/model-texts.ts';
import { quoteWord } from '../../prompt/source-words.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import { sha256Hex } from '../../providers/digest/sha256-hex.ts';
import type { VersionResolver } from '../../providers/versions/version-resolver.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillEvent, type SkillState } from '../../state/skill-state.ts';
import { argumentsOf } from '../../state/transcript.ts';
import type { ApprovalOfRead, ApprovedLoad, OpenedApprovals } from '../approvals/session-approvals.ts';
import { digestsByPath, filesSince } from '../files-since.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import { contentOfSkill, type PresentListing } from './present-listing.ts';
import type { RememberedContents } from './remembered-contents.ts';

declare const admitted: unique symbol;

/**
 * A skill whose body and files this request may have now. Only the doors of {@link skillDoors} make
 * one.
 */
export interface SkillInUse {
  readonly [admitted]: true;
  readonly skill: Skill;
  /** Its entry in the state, if loaded: then the skill is as it was loaded. */
  readonly loaded: LoadedSkill | undefined;
  /** What it may do. */
  readonly grants: SkillGrants;
}

function inUse(skill: Skill, loaded: LoadedSkill | undefined, grants: SkillGrants): SkillInUse {
  return { skill, loaded, grants } as SkillInUse;
}

/** What to load, and for whom. */
export interface ActivationRequest {
  /** The skill as the catalog has it. */
  readonly skill: SkillMetadata;
  /** A version or range. @default that of `skill` */
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
  readonly by: SkillActor;
  /** The host loads it by itself, because its content changed. */
  readonly renewed?: true | undefined;
}

/** A skill that is about to be loaded, with what its load is bound to. */
export interface SkillToLoad {
  readonly use: SkillInUse;
  /** `null` for an unpinned skill. */
  readonly content: string | null;
  readonly revision: string;
  /** Names the answer that the load rests on. */
  readonly approval?: string | undefined;
}

/** A loaded skill as it was loaded, or why it cannot be had. */
export type PinnedSkill = SkillInUse | { readonly changed: SkillChangeReason };

type FoundSkill = { readonly skill: Skill } | { readonly changed: SkillChangeReason };

/** What a tool asks for besides the skill. */
export interface ReadSkillOptions {
  /** Version or range. @default the loaded version, else the newest */
  readonly version?: string | undefined;
  /** A read that a person may be asked about. @default only the skill is judged */
  readonly call?: ApprovalOfRead | undefined;
}

/** The ways to bodies and files of skills in one session. There are no others. */
export interface SkillDoors {
  /**
   * Opens a skill that is to be loaded, with all that is asked of it: of what would be given, which
   * may differ from the catalog.
   *
   * @throws {SkillError} `skill-not-found`, `permission-denied`, `needs-approval`, or what the
   *   provider rejects with
   */
  toLoad(request: ActivationRequest, context: SkillToolContext): Promise<SkillToLoad>;
  /** Remembers what was loaded, so that the conversation keeps it. */
  remember(opened: SkillToLoad): Promise<void>;
  /**
   * Returns a loaded skill: of the identity and content that the conversation loaded, remembered or
   * read from its source. Nothing takes its place. What the host does not select any more counts as
   * gone.
   *
   * @throws {SkillError} `permission-denied`, or what the provider rejects with
   */
  loaded(state: SkillState, name: string, signal: AbortSignal | undefined): Promise<PinnedSkill>;
  /**
   * Returns a skill whose files are asked for: a loaded one as it was loaded, whoever loaded it,
   * else one that the model may load, as the source and the host have it now. A person may have
   * started a skill that is closed to models; its files go with it.
   *
   * @throws {SkillError} `skill-not-found`, `invalid-input` for another version than the loaded
   *   one, `skill-changed`, `permission-denied`, `needs-approval`, or what the provider rejects
   *   with
   */
  inUse(asked: string, context: SkillToolContext, options?: ReadSkillOptions): Promise<SkillInUse>;
  /**
   * Opens a listed skill that is not loaded: of the identity that is listed, selected, and shown by
   * a person where one must be asked. Who gives its body or its list of files asks for the
   * permission to load it, and who gives a file for that to read it.
   *
   * @returns `null` if it is not there for this request
   * @throws {SkillError} `needs-approval`, or what the provider rejects with
   */
  toRead(known: SkillMetadata, options: Pick<ReadSkillOptions, 'call'> & SkillCallOptions): Promise<SkillInUse | null>;
  /**
   * Asserts that the loaded version is the one that was asked for: tools that work on a loaded
   * skill work on the version that is loaded.
   *
   * @throws {SkillError} `invalid-input`
   */
  assertLoadedVersion(state: SkillState, name: string, range: string | undefined): void;
  /**
   * Reads a file of a skill: only one that its list names, and only the bytes that belong to the
   * content of the skill, which for a loaded one is what was loaded. Of an unpinned skill, the file
   * as it is now.
   *
   * @returns `null` for an unknown path
   * @throws {SkillError} `skill-changed` for other bytes, `limit-exceeded` for a file that is too
   *   large to compare
   */
  readFile(use: SkillInUse, path: string, options: { readonly maxBytes: number } & SkillCallOptions): Promise<SkillResource | null>;
  /** Tells the host that a skill changed, and returns the error of what needs it. */
  changed(use: SkillInUse, reason: SkillChangeReason, signal: AbortSignal | undefined): Promise<SkillError>;
}

/** What {@link skillDoors} needs. */
export interface SkillDoorsRequest {
  readonly provider: SkillProvider;
  readonly catalog: SkillCatalog;
  readonly present: PresentListing;
  readonly audience: Audience;
  /** What people approved. @default nobody is asked, and trust decides */
  readonly approvals: OpenedApprovals | undefined;
  /** What was loaded, as it was. */
  readonly contents: RememberedContents;
  readonly events: SessionEvents;
  readonly names: SkillToolNames;
  /** Which of a skill's versions a range means; `undefined` for none. */
  readonly resolveVersion: VersionResolver;
}

/** A file is compared as a whole, so a larger one cannot be read in parts. */
const maxComparedBytes = 64 * 1024 * 1024;

/** Opens the doors of one session. */
export function skillDoors(request: SkillDoorsRequest): SkillDoors {
  const { provider, catalog, present, audience, approvals, contents, events, names, resolveVersion } = request;
  const isSelected = (skill: SkillMetadata) => audience.isSelected(skill, events.report);
  /** Changes that the host was told of. */
  const toldChanges = new Set<string>();

  async function loaded(state: SkillState, name: string, signal: AbortSignal | undefined): Promise<PinnedSkill> {
    const entry = loadedSkill(state, name);
    if (entry === undefined) return { changed: 'gone' };
    const look = await admitLoaded(present, catalog.listed, state, name);
    // Told with its reason, to the host too. What is named wrongly is there for nobody.
    if ('inForce' in look && look.refused !== undefined) await audience.assertAllowed('load', look.refused);
    if ('inForce' in look && look.reason === 'other-name') return { changed: 'gone' };
    // A source that is away lists nothing, and what is remembered is served.
    const isAway = 'inForce' in look && look.reason === 'gone' && !present.isComplete;
    const found =
      'inForce' in look && !isAway
        ? { changed: changeOf(look.reason) }
        : await pinned(name, entry, 'inForce' in look ? undefined : look.skill, signal);
    if ('changed' in found) {
      await tellChanged(name, entry, found.changed, signal);
      return found;
    }
    const grants = await present.grantsOf(found.skill, found.skill.content, entry);
    approvals?.assertShown(name, grants);
    return inUse(found.skill, entry, grants);
  }

  /** @param listed the skill as it is listed; `undefined` while its source is away */
  async function pinned(
    name: string,
    entry: LoadedSkill,
    listed: SkillMetadata | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FoundSkill> {
    // A claim of a text is compared with the present: memory is of other conversations, too.
    const remembered = entry.place === undefined ? undefined : await contents.get(entry.revision);
    const found = remembered === undefined ? await fromSource(name, entry, signal) : { skill: remembered };
    if ('changed' in found) return found;
    const { skill } = found;
    // Memory is of others, too: where nothing is listed, the views of this request are asked.
    const isOurs = listed !== undefined || provider.mayList?.(skill) !== false;
    if (skill.name !== name || !isOurs || !isSelected(listed ?? skill)) return { changed: 'gone' };
    // It was not listed, so nobody was asked about it before.
    if (listed === undefined) await audience.assertAllowed('load', skill);
    return found;
  }

  async function fromSource(name: string, entry: LoadedSkill, signal: AbortSignal | undefined): Promise<FoundSkill> {
    const content = entry.content ?? undefined;
    const asked = await provider.getSkill(name, { ...askedOf(entry), content, signal });
    if (asked !== null && isIdentity(asked, entry)) {
      const now = await contentOfSkill(provider, asked, { signal });
      if (revisionOf(asked, now) !== entry.revision)
        return { changed: isTrusted(asked) === (entry.untrusted === true) ? 'trust' : 'content' };
      const skill = asked.content === now ? asked : { ...asked, content: now };
      // An unpinned skill may answer something else at each call.
      if (now !== null) await contents.set(entry.revision, skill);
      return { skill };
    }
    const now = content === undefined ? null : await provider.getSkill(name, { ...askedOf(entry), signal });
    return { changed: now !== null && isIdentity(now, entry) ? 'content' : 'gone' };
  }

  /**
   * Reads the skill that is to be loaded, as its source has it now: of the source and place that
   * the catalog tells, selected by the host, and open to whoever loads it.
   */
  async function skillToLoad({ skill: known, version: range, by }: ActivationRequest, signal: AbortSignal | undefined): Promise<Skill> {
    const { name } = known;
    // The versions of a skill may lie at different places.
    const wanted = range === undefined ? known : wantedVersion(catalog, resolveVersion, name, range);
    const { version, source, place } = identityOptions(wanted);
    let skill = await provider.getSkill(name, { version, source, place, signal });
    // It may have got another version since the catalog was read; the newest one of the same source
    // and place is what was asked for.
    if (skill === null && range === undefined) skill = await provider.getSkill(name, { source, place, signal });
    // A source may ignore what it is asked for.
    if (skill !== null && !isFrom(skill, identityOfSkill(wanted))) skill = null;
    // What was selected may have changed with it.
    if (skill !== null && !isSelected(skill)) skill = null;
    if (skill === null) throw range === undefined ? removed(name) : noSuchVersion(catalog, name, range);
    // Its author may have closed it since the catalog was read.
    const open = by === 'user' ? isUserInvocable(skill) : isModelInvocable(skill) || by === 'host';
    if (!open) throw notFound(name);
    return skill;
  }

  async function toRead(known: SkillMetadata, { call, signal }: ReadSkillOptions & SkillCallOptions): Promise<SkillInUse | null> {
    const skill = await provider.getSkill(known.name, { ...identityOptions(known), signal });
    if (skill === null || !isFrom(skill, identityOfSkill(known)) || !isSelected(skill)) return null;
    return inUse(skill, undefined, (await approvals?.read(skill, call)) ?? grantsByTrust(skill));
  }

  function assertLoadedVersion(state: SkillState, name: string, range: string | undefined): void {
    const entry = loadedSkill(state, name);
    if (range === undefined || entry === undefined || resolveVersion([entry.version], range) !== undefined) return;
    const version = entry.version === null ? 'without a version' : `in version ${quoteWord(entry.version)}`;
    throw new SkillError(
      'invalid-input',
      `Skill ${quoteWord(name)} is loaded ${version}, not ${quoteWord(range)}. Leave version out, or call ${names.load} with the other version first.`,
      { skill: name },
    );
  }

  function notFound(name: string): SkillError {
    const others = catalog.skills.filter((skill) => skill.name !== name);
    return skillNotFound(others, name);
  }

  function removed(name: string): SkillError {
    const message = `Skill ${quoteWord(name)} has been removed since the list of skills was made. ${notFound(name).message}`;
    return new SkillError('skill-not-found', message, { skill: name });
  }

  /**
   * The error of everything that needs what was loaded and cannot have it. The host is told, too.
   */
  async function changedSkill(
    name: string,
    entry: LoadedSkill | undefined,
    reason: SkillChangeReason,
    signal: AbortSignal | undefined,
    path?: string,
  ): Promise<SkillChanged> {
    await tellChanged(name, entry, reason, signal);
    // Another content was seen, so the load is closed for good.
    const closes = entry !== undefined && reason === 'content';
    const closed = closes ? [{ type: 'changed', name, revision: entry.revision } as const] : [];
    return new SkillChanged(skillChangedText(name, reason, names), name, path, closed);
  }

  /**
   * Tells the host, once in a session, that a loaded skill is no longer what its source has. With a
   * listener, the source is asked what it has instead, and the files are compared where the loaded
   * list is remembered.
   */
  async function tellChanged(
    name: string,
    entry: LoadedSkill | undefined,
    reason: SkillChangeReason,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (entry === undefined) return;
    const key = JSON.stringify([name, entry.revision, reason]);
    if (!events.hasListener || toldChanges.has(key)) return;
    toldChanges.add(key);
    const now = reason === 'content' ? await presentSkill(name, entry, signal) : undefined;
    const before = await contents.get(entry.revision);
    events.emit({
      type: 'skill_changed',
      skill: name,
      version: entry.version,
      ...(entry.source !== '' && { source: entry.source }),
      trusted: entry.untrusted !== true,
      reason,
      from: entry.content ?? null,
      to: now?.content ?? null,
      files: before === undefined || now === undefined ? null : filesSince(digestsByPath(before.resources), now.skill.resources),
    });
  }

  async function presentSkill(name: string, entry: LoadedSkill, signal: AbortSignal | undefined) {
    try {
      const skill = await provider.getSkill(name, { ...askedOf(entry), signal });
      return skill === null ? undefined : { skill, content: await contentOfSkill(provider, skill, { signal }) };
    } catch (thrown) {
      signal?.throwIfAborted();
      if (SkillError.isInstance(thrown)) return undefined;
      throw thrown;
    }
  }

  return {
    async toLoad(asked, context) {
      const found = await skillToLoad(asked, context.signal);
      await audience.assertAllowed('load', found);
      const content = await contentOfSkill(provider, found, context);
      const skill = found.content === content ? found : { ...found, content };
      const load = { ...context, skill, content, arguments: argumentsOf(asked) };
      const { grants, approval }: ApprovedLoad = (await approvals?.load(load)) ?? { grants: grantsByTrust(skill) };
      return { use: inUse(skill, undefined, grants), content, revision: revisionOf(skill, content), approval };
    },

    async remember({ use: { skill }, content, revision }) {
      present.seen(skill, content);
      // Unpinned skills have nothing to compare later.
      if (content === null) events.report(unpinnedSkill(skill));
      else await contents.set(revision, deepFreeze(skill));
    },

    loaded,

    async inUse(asked, { state, signal }, { version, call } = {}) {
      const name = loadedName(state, asked);
      if (name !== undefined) {
        assertLoadedVersion(state, name, version);
        const found = await loaded(state, name, signal);
        if ('skill' in found) return found;
        throw await changedSkill(name, loadedSkill(state, name), found.changed, signal);
      }
      const found = findSkill(catalog, asked);
      const known = version === undefined ? found : wantedVersion(catalog, resolveVersion, found.name, version);
      // A version may be closed to models while the one in the catalog is open.
      if (!isModelInvocable(known)) throw noSuchVersion(catalog, found.name, version ?? '');
      const read = await toRead(known, { call, signal });
      if (read !== null) return read;
      throw notFound(known.name);
    },

    toRead,

    assertLoadedVersion,

    async readFile({ skill, loaded: entry }, path, { maxBytes, signal }) {
      const { name, content, resources } = skill;
      const identity = identityOptions(skill);
      if (content === null || content === undefined) return await provider.readResource(name, path, { ...identity, maxBytes, signal });
      const { digest, size = 0 } = resources.find((file) => file.path === path) ?? {};
      if (digest === undefined) return null;
      if (size > maxComparedBytes) throw tooLarge(name, path);
      const ask = (most: number) => provider.readResource(name, path, { ...identity, digest, maxBytes: most, signal });
      let file = await ask(size > maxBytes ? maxComparedBytes : maxBytes);
      if (file !== null && file.size > file.bytes.length) file = await ask(maxComparedBytes);
      if (file !== null && file.size > file.bytes.length) throw tooLarge(name, path);
      if (file === null || (await sha256Hex(file.bytes)) !== digest) throw await changedSkill(name, entry, 'content', signal, path);
      return file.bytes.length > maxBytes ? { ...file, bytes: file.bytes.slice(0, maxBytes) } : file;
    },

    changed: ({ skill, loaded: entry }, reason, signal) => changedSkill(skill.name, entry, reason, signal),
  };
}

/** Something needs what was loaded and cannot have it. */
export class SkillChanged extends SkillError {
  /** What it means for the state: the answer of a tool carries it. */
  readonly events: readonly SkillEvent[];

  constructor(message: string, skill: string, path: string | undefined, events: readonly SkillEvent[]) {
    super('skill-changed', message, { skill, path });
    this.events = events;
  }
}

/** Returns the name under which a skill is loaded, also by another spelling. */
export function loadedName(state: SkillState, asked: string): string | undefined {
  if (loadedSkill(state, asked) !== undefined) return asked;
  const names = loadedSkillNames(state).map((name) => ({ name }));
  return names.length === 0 ? undefined : findAlike(names, asked)?.name;
}

/** What a source is asked for, for a loaded skill. A state that was read from a text names less. */
function askedOf({ source, place, version }: LoadedSkill) {
  return { version, ...(source !== '' && { source }), ...(place !== undefined && { place }) };
}

function isIdentity(skill: Skill, entry: LoadedSkill): boolean {
  return skill.version === entry.version && isFrom(skill, entry);
}

function unpinnedSkill({ name, origin }: SkillMetadata): SkillDiagnostic {
  return {
    code: 'skill-unpinned',
    severity: 'info',
    skill: name,
    message: `Skill ${JSON.stringify(name)} is unpinned: its source does not say which content it has, so what is read later may differ from what was loaded.`,
    fix: `${origin?.trusted === true ? '' : 'It gets no grants. '}Let the source give a digest for every file, or the content of the skill.`,
  };
}

function tooLarge(skill: string, path: string): SkillError {
  const message = `${quoteWord(path)} of skill ${quoteWord(skill)} is larger than ${maxComparedBytes} bytes, so it cannot be compared with what was loaded.`;
  return new SkillError('limit-exceeded', message, { skill, path });
}
