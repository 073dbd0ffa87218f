// Anything added here is public API: agents as folders of a workspace.
export { loadAgent, type LoadAgentOptions, type WorkspaceAgent } from './agent/load-agent.ts';
export { standingSkillset } from './agent/standing-skillset.ts';
