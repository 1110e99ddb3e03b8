/**
 * Replaces the escapes of JSON strings by CSV quoting; the longest line does not become longer. A text ends at its
 * first NUL, as it does for SQLite's own functions.
 */
export function csvOfJson(json: string): string {
  let csv = '';
  let at = 0;
  for (let escape = json.indexOf('\\'); escape !== -1; escape = json.indexOf('\\', at)) {
    csv += json.slice(at, escape);
    const letter = json.charAt(escape + 1);
    if (letter === 'u') {
      const code = Number.parseInt(json.slice(escape + 2, escape + 6), 16);
      at = code === 0 ? endOfString(json, escape) : escape + 6;
      if (code !== 0) csv += String.fromCharCode(code);
    } else {
      csv += unescaped[letter] ?? letter;
      at = escape + 2;
    }
  }
  return at === 0 ? json : csv + json.slice(at);
}

const unescaped: Readonly<Record<string, string>> = {
  '"': '""',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The place of the quote that ends a string. */
function endOfString(json: string, from: number): number {
  let at = from;
  while (json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at;
}
