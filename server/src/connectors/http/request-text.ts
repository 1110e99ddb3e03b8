import type { CertificateFiles } from './auth-settings.ts';

/** A request as it will be sent, with redacted credentials. */
export interface ShownRequest {
  readonly method: string;
  readonly url: URL;
  /** `Name: value` lines, with redacted credentials. */
  readonly headers: readonly string[];
  /** The body as text, or a placeholder for binary content. */
  readonly body?: string | undefined;
  /** The file with the body, for cURL. */
  readonly file?: string | undefined;
  /** The client certificate, which belongs to the connection. */
  readonly certificate?: CertificateFiles | undefined;
  /** The parts of a form body, which cURL assembles. */
  readonly form?: readonly FormPart[] | undefined;
}

export type FormPart = { readonly name: string } & (
  { readonly value: string } | { readonly file: string; readonly contentType: string }
);

/** The request in HTTP notation. */
export function httpText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url.href}`, ...headers].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/** The equivalent cURL command for a POSIX shell, with placeholders for credentials. */
export function curlText(request: ShownRequest): string {
  const { method, url, headers, form } = request;
  // cURL chooses the boundary of a form.
  const said = form ? headers.filter((line) => !/^content-type:/i.test(line)) : headers;
  // cURL would expand brackets and braces in a URL.
  const literal = /[[\]{}]/.test(url.href) ? ' --globoff' : '';
  const parts = [
    `curl --request ${method}${literal} ${shellQuoted(url.href)}`,
    ...said.map((line) => `--header ${shellQuoted(line)}`),
    ...(request.certificate ? certificateOptions(request.certificate) : []),
    ...bodyOptions(request),
  ];
  return parts.join(' \\\n  ');
}

/** The file paths are in the settings; cURL asks for the passphrase of a key. */
function certificateOptions(certificate: CertificateFiles): readonly string[] {
  const own =
    'pfx' in certificate
      ? ['--cert-type P12', `--cert ${shellQuoted(certificate.pfx)}`]
      : [`--cert ${shellQuoted(certificate.cert)}`, `--key ${shellQuoted(certificate.key)}`];
  return [...own, ...(certificate.ca === undefined ? [] : [`--cacert ${shellQuoted(certificate.ca)}`])];
}

function bodyOptions({ body, file, form }: ShownRequest): readonly string[] {
  if (form) return form.map(formOption);
  if (file !== undefined) return [`--data-binary ${shellQuoted(`@${file}`)}`];
  return body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`];
}

function formOption(part: FormPart): string {
  if ('value' in part) return `--form-string ${shellQuoted(`${part.name}=${part.value}`)}`;
  const file = part.file.replace(/["\\]/g, '\\$&');
  return `--form ${shellQuoted(`${part.name}=@"${file}";type=${part.contentType}`)}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
