// Anything added here is public API: running workflow skills in sessions.
export { skillWorkflowsOf } from './tools/workflows/skill-workflows-of.ts';
