import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isAllowed, type SkillPermissionRequest } from '../policy/permissions.ts';
import type { OpenRequest } from './open-request.ts';
import type { SkillsetPolicy } from './skillset-policy.ts';

type Action = 'list' | 'load';

/**
 * What `permissions` let one request list and load, asked once for each skill. A skill that it may
 * neither list nor load is not there for it: no list, error, refusal or diagnostic tells that the
 * skill exists. Every load and read asks again.
 */
export class PermittedSkills<Context> {
  readonly #policy: SkillsetPolicy<Context>;
  readonly #request: OpenRequest<Context>;
  /** Whether `permissions` looked at a context that this request does not have. */
  missedContext = false;
  readonly #answers: Readonly<Record<Action, Map<SkillMetadata, Promise<boolean>>>> = { list: new Map(), load: new Map() };

  constructor(policy: SkillsetPolicy<Context>, request: OpenRequest<Context>) {
    this.#policy = policy;
    this.#request = request;
  }

  /** The skills that are there for this request. */
  async of(skills: readonly SkillMetadata[]): Promise<readonly SkillMetadata[]> {
    return this.#filter(skills, async (skill) => (await this.may('list', skill)) || (await this.may('load', skill)));
  }

  async mayList(skills: readonly SkillMetadata[]): Promise<readonly SkillMetadata[]> {
    return this.#filter(skills, (skill) => this.may('list', skill));
  }

  async may(action: Action, skill: SkillMetadata): Promise<boolean> {
    const permissions = this.#policy.options.audience?.permissions;
    const known = this.#answers[action].get(skill);
    if (known !== undefined) return known;
    const answer = isAllowed(permissions, this.#asked(action, skill)).then(({ allowed }) => allowed);
    this.#answers[action].set(skill, answer);
    return answer;
  }

  #asked(action: Action, skill: SkillMetadata): SkillPermissionRequest<Context> {
    const context = this.#request.context as Context;
    const asked = { action, skill, context };
    if ('context' in this.#request) return asked;
    const missed = () => {
      this.missedContext = true;
      return context;
    };
    return Object.defineProperty(asked, 'context', { enumerable: true, get: missed });
  }

  async #filter(skills: readonly SkillMetadata[], accepts: (skill: SkillMetadata) => Promise<boolean>): Promise<readonly SkillMetadata[]> {
    if (this.#policy.options.audience?.permissions === undefined) return skills;
    const answers = await Promise.all(skills.map(accepts));
    return skills.filter((_, index) => answers[index]);
  }
}
