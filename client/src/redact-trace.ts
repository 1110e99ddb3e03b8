/** Replaces content that may contain secrets. */
const leftOut = '[left out]';

/**
 * Redacts a protocol message traced by `vscode-languageclient`, as text or JSON. It removes the content of every
 * response of ours (passwords, tokens, proxy address) and of every server request of our own protocol (tokens to
 * store). It depends on the message alone, because a JSON response does not name its method and tracing may begin
 * between request and response.
 */
export function redactTrace(text: string): string {
  return text.startsWith('{') ? jsonWithoutSecrets(text) : wordsWithoutSecrets(text);
}

/** The first line names the message and is kept; its content follows. */
function wordsWithoutSecrets(text: string): string {
  if (!/^(Sending response |Received request 'entityGraph\/)/.test(text)) return text;
  const [head = '', ...content] = text.split('\n');
  return content.length === 0 ? head : `${head}\n${leftOut}`;
}

interface TracedMessage {
  readonly type: string;
  readonly message: {
    readonly id?: number | string | null;
    readonly method?: string;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

function jsonWithoutSecrets(text: string): string {
  const traced = parse(text);
  if (!traced) return leftOut;
  const { type, message } = traced;
  const { id, method, error } = message;
  if (type === 'send-response') {
    const outcome = error ? { error: { code: error.code, message: error.message } } : { result: leftOut };
    return JSON.stringify({ ...traced, message: { id, ...outcome } });
  }
  if (type === 'receive-request' && method?.startsWith('entityGraph/') === true) {
    return JSON.stringify({ ...traced, message: { id, method, params: leftOut } });
  }
  return text;
}

/** Undefined for anything else, whose content is unknown. */
function parse(text: string): TracedMessage | undefined {
  try {
    const traced = JSON.parse(text) as Partial<TracedMessage>;
    return typeof traced.type === 'string' && traced.message ? (traced as TracedMessage) : undefined;
  } catch {
    return undefined;
  }
}
