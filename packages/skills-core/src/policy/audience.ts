import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { identityOf } from '../events/session-events.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import { quoteWord } from '../prompt/source-words.ts';
import { predicateOf } from '../providers/select-skills.ts';

/** What is asked of a {@link SkillPermissions} hook. */
export interface SkillPermissionRequest<Context> {
  /** `list`: see it. `load`: get the instructions. `read`: read a file. Each is asked alone. */
  readonly action: 'list' | 'load' | 'read';
  readonly skill: SkillMetadata;
  /** The file, for `read`. */
  readonly path?: string | undefined;
  /** What the host gave to `skillset.open({ context })`: the tenant, the role, the request. */
  readonly context: Context;
}

/** Yes, no, or no with a reason for the model. Only `true` and `{ allowed: true }` are a yes. */
export type SkillPermissionAnswer = boolean | { readonly allowed: boolean; readonly reason?: string | undefined };

/** Decides who may do what. An error, or more than 10 seconds, means no. */
export type SkillPermissions<Context> = (
  request: SkillPermissionRequest<Context>,
) => SkillPermissionAnswer | Promise<SkillPermissionAnswer>;

/** Who sees and may do what, for tenants, tiers and roles. */
export interface AudienceOptions<Context> {
  /**
   * Which skills exist for a request. What it leaves out can neither be seen nor loaded by anyone,
   * nor open a tool. It must be synchronous: a promise counts as no. Requests that select
   * differently do not share a prompt cache.
   * @default all
   */
  readonly select?: ((skill: SkillMetadata, context: Context) => boolean) | undefined;
  /**
   * Who may list, load and read. It is asked again at every load and read. @default everyone
   * everything
   */
  readonly permissions?: SkillPermissions<Context> | undefined;
  /**
   * Which tools exist for a request, by name: skill tools and those of the host. What it leaves out
   * is not shown to the model, and refuses. It must be synchronous; a promise and an error count as
   * no. While the skills cannot be read, all tools refuse.
   * @default all
   */
  readonly tools?: ((tool: string, context: Context) => boolean) | undefined;
}

type Report = (diagnostic: SkillDiagnostic) => void;

/**
 * What `audience` of the skillset says for one request: which skills there are, what it may do with
 * them, and which tools it has. A skill that it may neither list nor load is not there for it: no
 * list, error, refusal or diagnostic tells that the skill exists.
 */
export interface Audience {
  /** Whether anybody says which skills there are, so that an earlier answer proves nothing. */
  readonly asksHost: boolean;
  /** Whether a skill exists for this request; asked again of what is about to be given. */
  isSelected(skill: SkillMetadata, report?: Report): boolean;
  /** Whether a tool is left out. A hook that throws, or answers later, does not let one through. */
  isHidden(tool: string): boolean;
  /** Whether the host allows it now, without telling anyone. */
  mayDo(action: 'load' | 'read', skill: SkillMetadata, path?: string): Promise<boolean>;
  /** @throws {SkillError} `permission-denied` if the host does not allow it now */
  assertAllowed(action: 'load' | 'read', skill: SkillMetadata, path?: string): Promise<void>;
  /** Returns the skills that are there for this request. */
  of(skills: readonly SkillMetadata[], report?: Report): Promise<readonly SkillMetadata[]>;
  /** Returns the skills that it may list. */
  mayList(skills: readonly SkillMetadata[]): Promise<readonly SkillMetadata[]>;
  /** Whether it may load any of these skills. */
  mayLoadAny(skills: readonly SkillMetadata[]): Promise<boolean>;
  /** Whether this request may see all of these skills. */
  maySee(skills: unknown): Promise<boolean>;
  /**
   * @throws {SkillError} `invalid-options` if `permissions` looked at a context that is not there
   */
  assertContext(): void;
}

const maxCheckMs = 10_000;

/** @throws {SkillError} `invalid-options` if a hook takes a context, and there is none */
export function audienceOf<Context>(
  { select, permissions, tools }: AudienceOptions<Context> = {},
  request: { readonly context?: Context | undefined },
  emit: (activity: SkillActivity) => void,
): Audience {
  const hasContext = 'context' in request;
  // `Context` is `undefined` unless the host passes one, so this cast is safe.
  const context = request.context as Context;
  // A hook that takes a context would judge for nobody, and most often fail for every skill.
  if (!hasContext && (select?.length ?? 0) > 1) throw withoutContext('select');
  if (!hasContext && (tools?.length ?? 0) > 1) throw withoutContext('tools');
  const isSelected =
    select === undefined ? () => true : predicateOf((skill) => select(skill, context), '`audience.select` of the skillset');
  const answers = { list: new Map<SkillMetadata, Promise<boolean>>(), load: new Map<SkillMetadata, Promise<boolean>>() };
  let missedContext = false;

  /** Calls the hook, and treats every failure as a no. */
  async function ask(asked: SkillPermissionRequest<Context>): Promise<{ readonly allowed: boolean; readonly reason: string }> {
    if (permissions === undefined) return { allowed: true, reason: '' };
    try {
      const answer = await inTime(permissions(asked));
      if (typeof answer === 'boolean') return { allowed: answer, reason: '' };
      // A hook written in JavaScript may forget to answer; that is no yes.
      return { allowed: answer?.allowed === true, reason: answer?.reason ?? '' };
    } catch {
      return { allowed: false, reason: 'the permission check failed' };
    }
  }

  /** Asks once for each skill, while the session is opened. */
  function mayOnce(action: 'list' | 'load', skill: SkillMetadata): Promise<boolean> {
    const asked = { action, skill, context };
    const get = () => {
      missedContext = true;
      return context;
    };
    const made = (): Promise<boolean> =>
      ask(hasContext ? asked : Object.defineProperty(asked, 'context', { enumerable: true, get })).then(({ allowed }) => allowed);
    const answer = answers[action].get(skill) ?? made();
    answers[action].set(skill, answer);
    return answer;
  }

  async function filter(skills: readonly SkillMetadata[], accepts: (skill: SkillMetadata) => Promise<boolean>) {
    if (permissions === undefined) return skills;
    const accepted = await Promise.all(skills.map(accepts));
    return skills.filter((_, index) => accepted[index]);
  }

  const mayList = (skills: readonly SkillMetadata[]) => filter(skills, (skill) => mayOnce('list', skill));

  return {
    asksHost: select !== undefined || permissions !== undefined,
    isSelected,
    isHidden(tool) {
      try {
        return tools !== undefined && tools(tool, context) !== true;
      } catch {
        return true;
      }
    },
    mayDo: async (action, skill, path) => (await ask({ action, skill, path, context })).allowed,
    async assertAllowed(action, skill, path) {
      const { allowed, reason } = await ask({ action, skill, path, context });
      if (allowed) return;
      emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
      throw permissionDenied({ action, skill, path }, reason);
    },
    async of(skills, report) {
      const selected = select === undefined ? skills : skills.filter((skill) => isSelected(skill, report));
      return await filter(selected, async (skill) => (await mayOnce('list', skill)) || (await mayOnce('load', skill)));
    },
    mayList,
    async mayLoadAny(skills) {
      for (const skill of skills) if (await mayOnce('load', skill)) return true;
      return false;
    },
    async maySee(skills) {
      if (!Array.isArray(skills)) return false;
      const own = skills as readonly SkillMetadata[];
      return own.every((skill) => isSelected(skill)) && (await mayList(own)).length === own.length;
    },
    assertContext() {
      if (missedContext) throw withoutContext('permissions');
    },
  };
}

async function inTime(answer: SkillPermissionAnswer | Promise<SkillPermissionAnswer>): Promise<SkillPermissionAnswer> {
  if (typeof answer === 'boolean') return answer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<SkillPermissionAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ allowed: false, reason: 'the permission check took too long' }), maxCheckMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function permissionDenied(
  { action, skill, path }: Pick<SkillPermissionRequest<unknown>, 'action' | 'skill' | 'path'>,
  reason: string,
): SkillError {
  const what = path === undefined ? `Skill ${quoteWord(skill.name)}` : `${quoteWord(path)} of skill ${quoteWord(skill.name)}`;
  return new SkillError(
    'permission-denied',
    `${what} may not be ${action === 'read' ? 'read' : 'loaded'} here${reason === '' ? '' : `: ${reason}`}. Go on without it, or ask the user.`,
    { skill: skill.name, path },
  );
}

function withoutContext(hook: 'select' | 'permissions' | 'tools'): SkillError {
  return new SkillError(
    'invalid-options',
    `\`audience.${hook}\` takes a context, and this session is opened without one. Pass \`context\` to open(), or to the function of the adapter; \`context: undefined\` says that there is none.`,
  );
}
