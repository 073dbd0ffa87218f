/**
 * The JSON body of a request; `null` if it is not JSON or too long. The limit protects the memory
 * that the requests of a Worker share. What comes after it is read and let go: a body that is left
 * half read takes its connection with it, and with the connection the next request.
 */
export async function readJson({ body }: Request, maxBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size <= maxBytes) text += decoder.decode(chunk, { stream: true });
  }
  if (size > maxBytes) return null;
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return null;
  }
}
