import { resolve } from 'node:path';

/** Whether a path contains wildcards: `*`, `?`, `**`, `{a,b}`. Brackets are ordinary characters. */
export function isGlob(path: string): boolean {
  return /[*?]|\{[^}]*\}/.test(path);
}

/** A glob as its absolute base folder and a pattern below it, with forward slashes. */
export function splitGlob(folder: string, glob: string): { readonly root: string; readonly rest: string } {
  const parts = glob.replaceAll('\\', '/').split('/');
  const firstWild = parts.findIndex(isGlob);
  const root = resolve(folder, parts.slice(0, firstWild).join('/') || (parts[0] === '' ? '/' : '.'));
  return { root, rest: parts.slice(firstWild).join('/') };
}

/**
 * The regular expression for paths relative to the glob's base folder, with forward slashes. `*` and `?` stay within
 * one folder and exclude names that start with a dot; `**` as a path segment matches any number of folders.
 */
export function globToRegExp(glob: string): RegExp {
  const parts = glob.split('/').map((part, index, all) => {
    const last = index === all.length - 1;
    if (part === '**') return last ? '(?:[^/.][^/]*/)*[^/.][^/]*' : '(?:[^/.][^/]*/)*';
    return partExpression(part) + (last ? '' : '/');
  });
  return new RegExp(`^${parts.join('')}$`, process.platform === 'win32' ? 'iu' : 'u');
}

function partExpression(part: string): string {
  const hidden = /^[*?]/.test(part) ? '(?!\\.)' : '';
  let depth = 0;
  const body = [...part].map((character) => {
    if (character === '*') return '[^/]*';
    if (character === '?') return '[^/]';
    if (character === '{') {
      depth += 1;
      return '(?:';
    }
    if (character === '}' && depth > 0) {
      depth -= 1;
      return ')';
    }
    if (character === ',' && depth > 0) return '|';
    return character.replace(/[\\^$.+()[\]{}|]/, '\\$&');
  });
  return hidden + body.join('') + ')'.repeat(depth);
}
