/** Replaces the escapes of JSON strings by CSV quoting; the longest line does not become longer. */
export function csvOfJson(json: string): string {
  let csv = '';
  let at = 0;
  for (let escape = json.indexOf('\\'); escape !== -1; escape = json.indexOf('\\', at)) {
    csv += json.slice(at, escape);
    const letter = json.charAt(escape + 1);
    if (letter === 'u') {
      csv += String.fromCharCode(Number.parseInt(json.slice(escape + 2, escape + 6), 16));
      at = escape + 6;
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
