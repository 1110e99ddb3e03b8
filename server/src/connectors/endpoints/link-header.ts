/** The address with `rel="next"` in a `Link` header; addresses may contain commas and semicolons. */
export function nextLink(header: string | null): string | undefined {
  for (const match of (header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(match[2] ?? '');
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    if (names.includes('next')) return match[1];
  }
  return undefined;
}
