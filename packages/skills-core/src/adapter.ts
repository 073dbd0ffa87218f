// Anything added here is public API: what those need who connect a framework, or read and keep the
// state of a conversation themselves.
export { assertNoReservedToolNames } from './prompt/tool-names.ts';
export { cardToolsOf } from './format/card/card-tools.ts';
export { parseSkillState } from './state/parse-skill-state.ts';
export { skillInjectionTag, withdrawSkillText } from './state/skill-injection.ts';
export { recordSkillEvents, type SkillStateBox } from './state/skill-state-box.ts';
export { skillStateSeal } from './state/skill-state-seal.ts';
export { loadedSkill, loadedSkillNames } from './state/skill-state.ts';
export { reduceSkillState } from './state/skill-state-fold.ts';
export { skillStateFromTranscript } from './state/transcript.ts';
export type { SkillTranscriptEntry } from './state/transcript-entry.ts';
export { localSkillTools, type LocalSkillToolKind, type LocalSkillToolOptions } from './policy/tools-of-skills/local-skill-tools.ts';
export { toolsInCode } from './policy/tools-of-skills/tools-in-code.ts';
export { forkResultText } from './policy/fork-result.ts';
export type { SkillFork } from './policy/fork.ts';
export type { SkillCallVerdict } from './policy/skill-call-verdict.ts';
export type { RestoreBudget } from './tools/activation/lost-texts.ts';
export type { RestoreOptions, SkillTurn } from './tools/activation/restore-skills.ts';
export { renderSkill, type RenderSkillOptions, type SkillToRender } from './tools/activation/render-skill.ts';
export { parseSkillCommand, userInvocableSkills } from './tools/activation/user-invocation.ts';
export type { SkillEngine, SkillTool, SkillToolContext, SkillToolResult } from './tools/skill-tool.ts';
export { arrangeTools } from './skillset/arrange-tools.ts';
export type { ContextArguments } from './skillset/open-request.ts';
export { restoreSkills } from './skillset/restore-skills.ts';
export { renewSkills } from './skillset/renew-skills.ts';
export { skillsetOf } from './skillset/skillset-of.ts';
export { restoreRules } from './tools/activation/lost-texts.ts';
export { failureText } from './prompt/source-words.ts';
export { isHostCallId, signingModels } from './state/is-host-call-id.ts';
export { hostCallOver } from './prompt/model-texts.ts';
export { toolList, type ToolList } from './policy/tools-of-skills/tool-list.ts';
export { unknownQuestion } from './tools/approvals/session-approvals.ts';
export { settleCall } from './tools/approvals/settle-call.ts';
export { checkpointSteps, taskIdOf } from './tools/checkpoint-steps.ts';
export { openSkillset } from './skillset/open-skillset.ts';
export { forkAnswer } from './policy/fork-result.ts';
export { modelAskedFor, type NamedModels } from './policy/model-override.ts';
export { lengthOfTurns } from './tools/activation/restore-skills.ts';
export {
  entriesOfTurns,
  stateOfTurns,
  turnsOfParts,
  withInserted,
  type Measure,
  type TurnPart,
} from './tools/activation/turns-of-parts.ts';
export { judgeToolOfSkill } from './skillset/judge-tool-of-skill.ts';
export { toolsOfSkillFailed } from './policy/tools-of-skills/tools-of-skill-failed.ts';
export { freeToolName } from './policy/tools-of-skills/free-tool-name.ts';
export { hostCallId } from './state/host-call.ts';
export { adapterReporter } from './skillset/adapter-reporter.ts';
