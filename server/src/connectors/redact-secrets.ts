import type { DiagnosisStep } from '../../../protocol/diagnosis.ts';

const mask = '***';

/** Shorter secrets are redacted only as whole words, because they occur within other words. */
const shortest = 4;

/**
 * Redacts all secrets in `text`, in every encoding that a server may return: verbatim, within a URL, a form, JSON, HTML
 * or SQL, or in Base64, alone or as a Basic login.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const hidden = [...new Set(secrets)].filter((secret) => secret !== '');
  if (hidden.length === 0 || text === '') return text;
  const forms = [...new Set(hidden.flatMap(formsOf))];
  // Longest first, because a secret may contain another one.
  forms.sort((left, right) => right.length - left.length);
  return maskBase64(text, hidden).replaceAll(new RegExp(forms.map(formPattern).join('|'), 'gu'), mask);
}

/** Redacts a diagnosis step, which may contain user names or server messages. */
export function redactedStep(step: DiagnosisStep, secrets: readonly string[]): DiagnosisStep {
  const { message, remedy } = step;
  return {
    ...step,
    message: redactSecrets(message, secrets),
    ...(remedy !== undefined && { remedy: redactSecrets(remedy, secrets) }),
  };
}

function formPattern(form: string): string {
  const pattern = escapeRegExp(form).replaceAll(/%[0-9A-F]{2}|\\\\u[0-9a-f]{4}/gi, inEitherCase);
  return form.length >= shortest ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;
}

/** Hexadecimal digits of an escape, in either case. */
function inEitherCase(escaped: string): string {
  return escaped.replaceAll(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);
}

/** The encodings of a secret, except Base64. */
function formsOf(secret: string): readonly string[] {
  const inUrl = encodeUrl(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const urls = [inUrl, inForm].flatMap((each) => [each, encodeURIComponent(each)]);
  return [
    secret,
    ...urls,
    ...[inJson, inJson.replaceAll('/', '\\/')].flatMap((each) => [each, asciiJson(each)]),
    inHtml(secret, '&#39;'),
    inHtml(secret, '&#x27;'),
    inHtml(secret, '&apos;'),
    secret.replaceAll("'", "''"),
  ];
}

/** A lone surrogate cannot be URL-encoded. */
function encodeUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** ASCII-only JSON. */
function asciiJson(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);
}

/** Base64 plain, URL-safe, URL-encoded, and JSON-escaped. */
const sign = String.raw`(?:[A-Za-z0-9+/_-]|%2[BbFf]|\\/|\\u002[bBfF])`;
const rest = String.raw`(?:=|%3[Dd]|\\u003[dD]){0,2}`;

/** Redacts Base64 runs that contain a secret, such as a Basic login `user:password`. */
function maskBase64(text: string, secrets: readonly string[]): string {
  // Searches for encoded fragments of the secret first, because decoding every word of a long text would be slow.
  const cores = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(coresOf))];
  const masked =
    cores.length === 0 ? text : maskRunsAround(text, new RegExp(cores.map(corePattern).join('|'), 'g'), secrets);
  const short = secrets.filter((secret) => secret.length < shortest);
  if (short.length === 0) return masked;
  return masked.replaceAll(new RegExp(`${sign}{3,}${rest}`, 'g'), (run) => (containsAny(run, short) ? mask : run));
}

/** Redacts the Base64 runs around each match of a pattern, each once. */
function maskRunsAround(text: string, core: RegExp, secrets: readonly string[]): string {
  const toEnd = new RegExp(`${sign}*${rest}`, 'y');
  let masked = '';
  let done = 0;
  for (let found = core.exec(text); found; found = core.exec(text)) {
    const start = runStart(text, found.index, done);
    toEnd.lastIndex = found.index + found[0].length;
    const end = toEnd.lastIndex + (toEnd.exec(text)?.[0].length ?? 0);
    const run = text.slice(start, end);
    masked += text.slice(done, start) + (containsAny(run, secrets) ? mask : run);
    done = end;
    core.lastIndex = end;
  }
  return masked + text.slice(done);
}

/** Start of the Base64 run at a position, not before `first`. */
function runStart(text: string, place: number, first: number): number {
  const escaped = /%2[BbFf]|\\\/|\\u002[bBfF]/y;
  let start = place;
  while (start > first) {
    escaped.lastIndex = start - 1;
    if (!/[A-Za-z0-9+/_-]/.test(text.charAt(start - 1)) && !escaped.test(text)) break;
    start -= 1;
  }
  return start;
}

/** The characters determined by the secret alone, for each of its three alignments. */
function coresOf(secret: string): readonly string[] {
  return (['utf8', 'latin1'] as const).flatMap((encoding) => {
    const bytes = Buffer.from(secret, encoding);
    return [0, 1, 2].map((before) => {
      const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
      return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    });
  });
}

function corePattern(core: string): string {
  return core
    .replaceAll('+', '(?:[+-]|%2[Bb]|\\\\u002[bB])')
    .replaceAll(/(?<!\\)\//g, '(?:[/_]|%2[Ff]|\\\\/|\\\\u002[fF])');
}

/** The run may start before the Base64 text, as in a path, so all alignments are decoded. */
function containsAny(run: string, secrets: readonly string[]): boolean {
  const plain = run
    .replaceAll(/%2B|\\u002b/gi, '+')
    .replaceAll(/%2F|\\u002f|\\\//gi, '/')
    .replace(/(?:=|%3D|\\u003d)+$/i, '');
  return [0, 1, 2, 3].some((start) => {
    const bytes = Buffer.from(plain.slice(start), 'base64');
    const readings = [bytes.toString('utf8'), bytes.toString('latin1')];
    return readings.some((reading) => secrets.some((secret) => containsSecret(reading, secret)));
  });
}

/** A short secret may occur by chance in other text: it counts only as the whole, or as part of a login. */
function containsSecret(reading: string, secret: string): boolean {
  if (secret.length >= shortest) return reading.includes(secret);
  return reading === secret || (/^[\x20-\x7e]+$/.test(reading) && reading.split(':').includes(secret));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
