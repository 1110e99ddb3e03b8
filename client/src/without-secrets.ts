/** Stands for what may hold secrets. */
const leftOut = '[left out]';

/**
 * A message of the protocol as `vscode-languageclient` traces it, in words or as JSON, without what may hold secrets:
 * the content of every answer of ours (passwords, tokens, a proxy's address from the settings) and of every question of
 * our own that the server asks (tokens to keep). What a message is, is told by itself alone: an answer as JSON does not
 * name its method, and tracing may begin between question and answer.
 */
export function withoutSecrets(text: string): string {
  return text.startsWith('{') ? jsonWithoutSecrets(text) : wordsWithoutSecrets(text);
}

/** The first line says what it is and is kept; the content follows it. */
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

/** Undefined for what is no message: nobody knows what it holds. */
function parse(text: string): TracedMessage | undefined {
  try {
    const traced = JSON.parse(text) as Partial<TracedMessage>;
    return typeof traced.type === 'string' && traced.message ? (traced as TracedMessage) : undefined;
  } catch {
    return undefined;
  }
}
