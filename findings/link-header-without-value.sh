#!/usr/bin/env bash
# Two parsers of the Link header of HTTP lose or invent the next page of a list.
#
# RFC 8288, section 3 allows parameters without a value (`; crossorigin`), quoted values with commas and addresses in
# them, and list elements that are empty (RFC 9110, section 5.6.1). For REST APIs whose pages follow rel="next":
#   http-link-header 1.1.4  takes `; crossorigin; rel=next` for one parameter named "crossorigin; rel", so that no link
#                           is next, and refuses a list that begins with a comma.
#   parse-link-header 2.0.0 takes an address inside a quoted title for a link, and ignores `rel = next`,
#                           though blanks around "=" mean nothing (RFC 8288, appendix B.3).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund http-link-header@1.1.4 parse-link-header@2.0.0
cat >seen.cjs <<'JS'
const strict = require('http-link-header');
const loose = require('parse-link-header');
const nextOf = {
  'http-link-header': (header) => {
    try {
      return strict.parse(header).refs.find(({ rel }) => rel === 'next')?.uri ?? 'none';
    } catch (error) {
      return `error: ${error.message}`;
    }
  },
  'parse-link-header': (header) => loose(header)?.next?.url ?? 'none',
};
const cases = [
  ['</orders?page=2>; crossorigin; rel=next', 'none', '/orders?page=2'],
  [', </orders?page=2>; rel=next', 'error: Unexpected character "," at offset 0', '/orders?page=2'],
  ['</orders?page=2>; title="after, <other>; see"; rel=next', '/orders?page=2', 'other'],
  ['</orders?page=2>; rel = next', '/orders?page=2', 'none'],
];
let changed = 0;
for (const [header, ...expected] of cases) {
  console.log(`Link: ${header}`);
  for (const [index, [name, read]] of Object.entries(nextOf).entries()) {
    const seen = read(header);
    console.log(`  ${name}: next is ${seen}`);
    if (seen !== expected[index]) {
      changed += 1;
      console.log(`    CHANGED: was ${expected[index]}`);
    }
  }
}
process.exitCode = changed === 0 ? 0 : 1;
JS
node seen.cjs
