import { SkillError } from '@repertoire/skills-core';

/** Converts texts to vectors, one for each text, in order. */
export type EmbedFunction = (
  texts: readonly string[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly (readonly number[] | Float32Array)[]>;

/** The part of an AI SDK embedding model that is called. */
export interface EmbeddingModelLike {
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal | undefined;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** The part of LangChain's `Embeddings` that is called. */
export interface EmbeddingsLike {
  embedDocuments(texts: string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}

/** An embedding model with a uniform interface. Vectors have length 1. */
export interface NormalizedModel {
  documents(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  query(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** Adapts the three kinds of models to one interface, and validates their results. */
export function normalizeModel(model: EmbedFunction | EmbeddingModelLike | EmbeddingsLike): NormalizedModel {
  const embed = embedFunction(model);
  const documents = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> =>
    unitVectors(await embed(texts, { signal }), texts.length);
  const query =
    'embedQuery' in model
      ? async (text: string): Promise<readonly (readonly number[])[]> => [await model.embedQuery(text)]
      : async (text: string, signal: AbortSignal) => await embed([text], { signal });
  return {
    documents,
    query: async (text, signal) => {
      const [vector] = unitVectors(await query(text, signal), 1);
      if (vector === undefined) throw notVectors('it gave none');
      return vector;
    },
  };
}

function embedFunction(model: EmbedFunction | EmbeddingModelLike | EmbeddingsLike): EmbedFunction {
  if (typeof model === 'function') return model;
  if ('embedDocuments' in model) return async (texts) => await model.embedDocuments([...texts]);
  return async (texts, { signal }) => {
    const most = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length);
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += most) {
      const { embeddings } = await model.doEmbed({ values: texts.slice(from, from + most), abortSignal: signal });
      vectors.push(...embeddings);
    }
    return vectors;
  };
}

function unitVectors(vectors: readonly (readonly number[] | Float32Array)[], expected: number): Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== expected)
    throw notVectors(`it gave ${Array.isArray(vectors) ? vectors.length : 'no list'} for ${expected} texts`);
  return (vectors as readonly (readonly number[] | Float32Array)[]).map((numbers) => {
    const vector = Float32Array.from(numbers);
    const length = Math.hypot(...vector);
    if (!Number.isFinite(length) || length === 0) throw notVectors('one of them is empty, zero, or no numbers');
    return vector.map((value) => value / length);
  });
}

function notVectors(why: string): SkillError {
  return new SkillError('invalid-options', `The model of skillEmbedder must give one vector for each text: ${why}.`);
}
