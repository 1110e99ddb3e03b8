/** A request as it is going to be sent, its login masked. */
export interface ShownRequest {
  readonly method: string;
  readonly url: URL;
  /** `Name: value` lines, masked logins among them. */
  readonly headers: readonly string[];
  /** The body as text, or what stands for one that is no text. */
  readonly body?: string;
  /** The file that is the body, for cURL. */
  readonly file?: string;
}

/** The request in the notation of HTTP. */
export function httpText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url.href}`, ...headers].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/** The same as a command of cURL for a POSIX shell; who runs it fills the login in. */
export function curlText({ method, url, headers, body, file }: ShownRequest): string {
  const parts = [
    `curl --request ${method} ${shellQuoted(url.href)}`,
    ...headers.map((line) => `--header ${shellQuoted(line)}`),
    ...(file !== undefined
      ? [`--data-binary ${shellQuoted(`@${file}`)}`]
      : body === undefined
        ? []
        : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
