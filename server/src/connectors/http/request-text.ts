import type { CertificateFiles } from './auth-settings.ts';

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
  /** The certificate that is the login: a part of the connection, not of the request. */
  readonly certificate?: CertificateFiles;
  /** The parts of a body that is a form, for cURL, which puts it together itself. */
  readonly form?: readonly FormPart[];
}

export type FormPart = { readonly name: string } & (
  { readonly value: string } | { readonly file: string; readonly contentType: string }
);

/** The request in the notation of HTTP. */
export function httpText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url.href}`, ...headers].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/** The same as a command of cURL for a POSIX shell; who runs it fills the login in. */
export function curlText(request: ShownRequest): string {
  const { method, url, headers, form } = request;
  // Of a form, cURL says where one part ends and the next begins.
  const said = form ? headers.filter((line) => !/^content-type:/i.test(line)) : headers;
  // Brackets and braces in an address would be ranges and lists of addresses to cURL.
  const literal = /[[\]{}]/.test(url.href) ? ' --globoff' : '';
  const parts = [
    `curl --request ${method}${literal} ${shellQuoted(url.href)}`,
    ...said.map((line) => `--header ${shellQuoted(line)}`),
    ...(request.certificate ? certificateOptions(request.certificate) : []),
    ...bodyOptions(request),
  ];
  return parts.join(' \\\n  ');
}

/** The files stand in the settings; the passphrase of a key is asked for by cURL. */
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
