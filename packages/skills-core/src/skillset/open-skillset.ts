import type { Skillset } from './create-skillset.ts';
import type { ContextArguments, OpenRequest } from './open-request.ts';
import type { SkillSession } from './skill-session.ts';

/** Opens a session where `Context` is a type parameter. */
export function openSkillset<Context>(skillset: Skillset<Context>, request: OpenRequest<Context>): Promise<SkillSession> {
  return skillset.open(...([request] as unknown as ContextArguments<Context, OpenRequest<Context>>));
}
