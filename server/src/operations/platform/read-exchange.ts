import type { AnswerHeaders, HttpAnswer, HttpStream } from '../../connectors/http/http-client.ts';

/** An answer as far as it is looked at. */
export interface ReadExchange {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Bytes, as far as they are known. */
  readonly size: number;
  /** Undefined where the bytes are no text. */
  readonly text: string | undefined;
  /** Whether there is more of it, which was not read. */
  readonly isPart: boolean;
}

/** Bytes that are looked at of an answer: one that holds a file, or a whole table, would fill the memory. */
export const mostOfAnswer = 16 * 1024 * 1024;

/** Reads an answer as far as anybody wants to look at it, and closes the connection where that is not its end. */
export async function readExchange(answer: HttpAnswer | HttpStream, most = mostOfAnswer): Promise<ReadExchange> {
  const { status, headers } = answer;
  const isText = holdsText(headers);
  if ('text' in answer) {
    return { status, headers, size: answer.size, text: isText ? answer.text : undefined, isPart: false };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let isPart = false;
  for await (const chunk of answer.body) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (isText) chunks.push(bytes);
    // Leaving the loop closes the connection.
    isPart = size > most;
    if (isPart) break;
  }
  const stated = isPart ? statedSize(headers, size) : size;
  // Of bytes that nobody looks at, it is enough to know how many there are.
  if (!isText) return { status, headers, size: stated, text: undefined, isPart: isPart && stated === size };
  return {
    status,
    headers,
    size: stated,
    text: decoded(Buffer.concat(chunks).subarray(0, most), headers, isPart),
    isPart,
  };
}

/** A character that is cut in half at the end is left out. */
function decoded(bytes: Buffer, headers: AnswerHeaders, isPart: boolean): string {
  const charset = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  return decoderOf(charset).decode(bytes, { stream: isPart });
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** What the other side says of the whole; of a packed body, that is another number. */
function statedSize(headers: AnswerHeaders, read: number): number {
  const stated = headers.get('content-encoding') === null ? Number(headers.get('content-length') ?? '') : 0;
  return Math.max(stated || 0, read);
}

function holdsText(headers: AnswerHeaders): boolean {
  const type = headers.get('content-type') ?? '';
  return type === '' || /^text\/|\b(?:json|xml|javascript|yaml|x-www-form-urlencoded)\b/i.test(type);
}
