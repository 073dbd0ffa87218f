// Anything added here is public API.
export { readRecording } from './recording/read-recording.ts';
export type {
  RecordedDisclosure,
  RecordedPart,
  RecordedResult,
  RecordedTool,
  RecordedTurn,
  Recording,
  RecordingFormat,
} from './recording/recording.ts';
export { replayRecording, type ChangedAnswer, type Replay, type ReplayOptions } from './replay/replay-recording.ts';
export type { SkillOverlay } from './replay/overlay-provider.ts';
export type { PromptSettings, Framework } from './prompt/prompt-settings.ts';
export type { ModelRequest } from './frameworks/model-request.ts';
export type { ReplayedRequest } from './frameworks/framework-replay.ts';
export { startInspector, type InspectorOptions, type RunningInspector } from './server/start-inspector.ts';
export type { RecordingFile } from './server/recording-shelf.ts';
export { inspectorReport, type InspectorReportOptions } from './report/write-report.ts';
export type { InspectedApprovals } from './review/read-approvals.ts';
export type { CheckedByHost, InspectedProposals } from './review/read-proposals.ts';
export type { SignatureOptions } from './library/read-signature.ts';
