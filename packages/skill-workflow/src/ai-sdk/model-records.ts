import type { LanguageModel } from 'ai';
import { fromRecord, toRecord } from '../agent/record-values.ts';

/** A model object of the AI SDK, of the version that our wrapping gives. */
export type AiSdkModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
export type AiSdkModelOptions = Parameters<AiSdkModel['doGenerate']>[0];
export type AiSdkModelAnswer = Awaited<ReturnType<AiSdkModel['doGenerate']>>;
export type AiSdkStreamPart =
  Awaited<ReturnType<AiSdkModel['doStream']>> extends { readonly stream: ReadableStream<infer Part> } ? Part : never;

/** An answer for the record, without the request, which can be computed again. */
export function recordAnswer({ request: _request, response, ...answer }: AiSdkModelAnswer): unknown {
  const { id, timestamp, modelId } = response ?? {};
  return toRecord({ ...answer, ...(response !== undefined && { response: { id, timestamp, modelId } }) });
}

export function answerOf(record: unknown): AiSdkModelAnswer {
  return fromRecord(record) as AiSdkModelAnswer;
}

/**
 * Records all parts of a stream.
 *
 * @throws the error that the stream reports, so that only whole answers are recorded
 */
export async function recordStream(stream: ReadableStream<AiSdkStreamPart>): Promise<unknown> {
  const parts: AiSdkStreamPart[] = [];
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type !== 'raw') parts.push(part);
  }
  return toRecord(parts);
}

export function streamOf(record: unknown): ReadableStream<AiSdkStreamPart> {
  const parts = fromRecord(record) as AiSdkStreamPart[];
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}
