// Anything added here is public API.
export type { RecordedResult, Recording, RecordingFormat } from './recording/recording.ts';
export { replayRecording, type Replay, type ReplayOptions } from './replay/replay-recording.ts';
export type { PromptSettings, Framework } from './prompt/prompt-settings.ts';
export type { ModelRequest } from './frameworks/model-request.ts';
export { startInspector, type InspectorOptions, type RunningInspector } from './server/start-inspector.ts';
export { inspectorReport, type InspectorReportOptions } from './report/write-report.ts';
