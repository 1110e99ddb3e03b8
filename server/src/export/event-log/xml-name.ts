/**
 * Converts a text to an XML name. Keeps a colon only after the prefix of a declared extension; other characters that are not allowed in names
 * become `_`.
 */
export function xmlName(name: string, prefixes: readonly string[] = []): string {
  const [, prefix = '', local = ''] = /^([^:]+):([^:]+)$/u.exec(name) ?? [];
  if (prefixes.includes(prefix)) return `${prefix}:${withoutOthers(local)}`;
  const plain = withoutOthers(name);
  return new RegExp(`^[${nameStart}]`, 'u').test(plain) ? plain : `_${plain}`;
}

/** The prefix of an extension is a name without a colon. */
export function isPrefix(text: string): boolean {
  return text !== '' && xmlName(text) === text;
}

function withoutOthers(text: string): string {
  return text.normalize('NFC').replaceAll(new RegExp(`[^${nameStart}${nameRest}]`, 'gu'), '_');
}

/** https://www.w3.org/TR/xml/#NT-NameStartChar without joiners and combining characters. */
const nameStart = String.raw`A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`;
const nameRest = String.raw`\-.0-9\xB7\u203F\u2040`;
