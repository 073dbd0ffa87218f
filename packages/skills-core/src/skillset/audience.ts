import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { isAllowed } from '../policy/permissions.ts';
import { predicateOf } from '../providers/select-skills.ts';
import type { SkillsetOptions } from './skillset-options.ts';

type Report = (diagnostic: SkillDiagnostic) => void;

/**
 * What `audience` of the skillset says for one request: which skills there are, what it may do with
 * them, and which tools it has. A skill that it may neither list nor load is not there for it: no
 * list, error, refusal or diagnostic tells that the skill exists.
 */
export class Audience<Context> {
  readonly #context: Context;
  readonly #hasContext: boolean;
  readonly #options: NonNullable<SkillsetOptions<Context>['audience']>;
  readonly #isSelected: (skill: SkillMetadata, report?: Report) => boolean;
  readonly #answers: Readonly<Record<'list' | 'load', Map<SkillMetadata, Promise<boolean>>>> = { list: new Map(), load: new Map() };
  #missedContext = false;

  /** @throws {SkillError} `invalid-options` if a hook takes a context, and there is none */
  constructor(options: SkillsetOptions<Context>['audience'], request: { readonly context?: Context | undefined }) {
    this.#options = options ?? {};
    this.#hasContext = 'context' in request;
    // `Context` is `undefined` unless the host passes one, so this cast is safe.
    const context = (this.#context = request.context as Context);
    const { select, tools } = this.#options;
    // A hook that takes a context would judge for nobody, and most often fail for every skill.
    if (!this.#hasContext && (select?.length ?? 0) > 1) throw withoutContext('select');
    if (!this.#hasContext && (tools?.length ?? 0) > 1) throw withoutContext('tools');
    this.#isSelected =
      select === undefined ? () => true : predicateOf((skill) => select(skill, context), '`audience.select` of the skillset');
  }

  /** Whether anybody says which skills there are, so that an earlier answer proves nothing. */
  get asksHost(): boolean {
    return this.#options.select !== undefined || this.#options.permissions !== undefined;
  }

  isSelected(skill: SkillMetadata, report?: Report): boolean {
    return this.#isSelected(skill, report);
  }

  /** A hook that throws, or answers later, does not let a tool through. */
  isHidden(tool: string): boolean {
    const { tools } = this.#options;
    try {
      return tools !== undefined && tools(tool, this.#context) !== true;
    } catch {
      return true;
    }
  }

  /** Asks for a load or a read, each time anew. */
  ask(action: 'load' | 'read', skill: SkillMetadata, path?: string): ReturnType<typeof isAllowed> {
    return isAllowed(this.#options.permissions, { action, skill, path, context: this.#context });
  }

  /** The skills that are there for this request. */
  async of(skills: readonly SkillMetadata[], report?: Report): Promise<readonly SkillMetadata[]> {
    const selected = this.#options.select === undefined ? skills : skills.filter((skill) => this.#isSelected(skill, report));
    return await this.#filter(selected, async (skill) => (await this.may('list', skill)) || (await this.may('load', skill)));
  }

  async mayList(skills: readonly SkillMetadata[]): Promise<readonly SkillMetadata[]> {
    return await this.#filter(skills, (skill) => this.may('list', skill));
  }

  /** Whether it may list or load a skill, asked once for each. */
  may(action: 'list' | 'load', skill: SkillMetadata): Promise<boolean> {
    const answers = this.#answers[action];
    const ask = () => isAllowed(this.#options.permissions, this.#asked(action, skill)).then(({ allowed }) => allowed);
    const answer = answers.get(skill) ?? ask();
    answers.set(skill, answer);
    return answer;
  }

  /** Whether this request may see all of these skills. */
  async maySee(skills: unknown): Promise<boolean> {
    if (!Array.isArray(skills)) return false;
    const own = skills as readonly SkillMetadata[];
    return own.every((skill) => this.#isSelected(skill)) && (await this.mayList(own)).length === own.length;
  }

  /**
   * @throws {SkillError} `invalid-options` if `permissions` looked at a context that is not there
   */
  assertContext(): void {
    if (this.#missedContext) throw withoutContext('permissions');
  }

  #asked(action: 'list' | 'load', skill: SkillMetadata): Parameters<typeof isAllowed<Context>>[1] {
    const asked = { action, skill, context: this.#context };
    if (this.#hasContext) return asked;
    const missed = () => {
      this.#missedContext = true;
      return this.#context;
    };
    return Object.defineProperty(asked, 'context', { enumerable: true, get: missed });
  }

  async #filter(skills: readonly SkillMetadata[], accepts: (skill: SkillMetadata) => Promise<boolean>): Promise<readonly SkillMetadata[]> {
    if (this.#options.permissions === undefined) return skills;
    const answers = await Promise.all(skills.map(accepts));
    return skills.filter((_, index) => answers[index]);
  }
}

function withoutContext(hook: 'select' | 'permissions' | 'tools'): SkillError {
  return new SkillError(
    'invalid-options',
    `\`audience.${hook}\` takes a context, and this session is opened without one. Pass \`context\` to open(), or to the function of the adapter; \`context: undefined\` says that there is none.`,
  );
}
