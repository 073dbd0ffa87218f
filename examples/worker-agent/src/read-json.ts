/** The JSON in the body of a request; `null` where it is none, or has more bytes. Read in full, a body could take all the memory that the requests of a Worker share. */
export async function readJson({ body }: Request, maxBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return null;
  }
}
