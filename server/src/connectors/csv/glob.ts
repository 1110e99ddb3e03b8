import { resolve } from 'node:path';

/** Whether a path holds wildcards: `*`, `?`, `**`, `{a,b}`. Brackets are ordinary characters. */
export function isGlob(path: string): boolean {
  return /[*?]|\{[^}]*\}/.test(path);
}

/** A glob as the folder in which it begins, absolute, and what is matched below it, with forward slashes. */
export function splitGlob(folder: string, glob: string): { readonly root: string; readonly rest: string } {
  const parts = glob.replaceAll('\\', '/').split('/');
  const firstWild = parts.findIndex(isGlob);
  const root = resolve(folder, parts.slice(0, firstWild).join('/') || (parts[0] === '' ? '/' : '.'));
  return { root, rest: parts.slice(firstWild).join('/') };
}

/**
 * The expression that a path relative to the glob's root, with forward slashes, must match. `*` and `?` stay within one
 * folder and leave out names that start with a dot; `**` as a whole part stands for any number of folders.
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
