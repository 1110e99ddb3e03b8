import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The text of ThirdPartyNotices.txt: name, version and licence of every package that is shipped.
 * @param {readonly string[]} packageFolders Relative to the project, such as `node_modules/yaml`.
 */
export function thirdPartyNotices(packageFolders) {
  return [
    'This extension contains the following software of others.',
    ...packageFolders.map((folder) => notice(folder)),
  ].join(`\n\n${'='.repeat(80)}\n\n`);
}

function notice(folder) {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const url = (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+|\.git$/g, '');
  const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying|thirdparty)/i.test(file));
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'licence below'})`, ...(url ? [url] : []), '', ...texts].join('\n');
}
