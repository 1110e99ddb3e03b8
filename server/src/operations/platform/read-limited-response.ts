import { isJsonLines } from '../../connectors/endpoints/parse-answer.ts';
import { decodeWhole } from '../../connectors/http/decode-body.ts';
import { charsetOf } from '../../connectors/http/header-parameters.ts';
import type { AnswerHeaders, HttpResponse, HttpStream } from '../../connectors/http/http-client.ts';

/** The read part of a response. */
export interface LimitedResponse {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Size in bytes, as far as known. */
  readonly size: number;
  /** Undefined for binary content. */
  readonly text: string | undefined;
  /** Whether the rest was not read. */
  readonly isPart: boolean;
}

/** Read limit in bytes, because a response may contain a file or a whole table. */
const maxOfAnswer = 16 * 1024 * 1024;

/** Reads a response up to a limit, and closes the connection if there is more. */
export async function readLimitedResponse(
  answer: HttpResponse | HttpStream,
  most = maxOfAnswer,
): Promise<LimitedResponse> {
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
  // Binary content is only counted.
  if (!isText) return { status, headers, size: stated, text: undefined, isPart: isPart && stated === size };
  return {
    status,
    headers,
    size: stated,
    text: decoded(Buffer.concat(chunks).subarray(0, most), headers, isPart),
    isPart,
  };
}

/** Drops a truncated character at the end. */
function decoded(bytes: Buffer, headers: AnswerHeaders, isPart: boolean): string {
  const charset = charsetOf(headers.get('content-type')) ?? 'utf-8';
  const decoder = decoderOf(charset);
  return isPart ? decoder.decode(bytes, { stream: true }) : decodeWhole(decoder, bytes);
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Total size announced by the server; unusable for compressed bodies. */
function statedSize(headers: AnswerHeaders, read: number): number {
  const stated = headers.get('content-encoding') === null ? Number(headers.get('content-length') ?? '') : 0;
  return Math.max(stated || 0, read);
}

function holdsText(headers: AnswerHeaders): boolean {
  const type = headers.get('content-type') ?? '';
  return (
    type === '' || isJsonLines(type) || /^text\/|\b(?:json|xml|javascript|yaml|x-www-form-urlencoded)\b/i.test(type)
  );
}
