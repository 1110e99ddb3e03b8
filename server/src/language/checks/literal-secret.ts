import { isMap, isScalar, type Node } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** Settings whose values nobody else should read. */
const secretSettings = /^(password|clientSecret|token|apiKey|passphrase|refreshToken|secret)$/;

/** A password or token stands in the file as it is. */
export const literalSecret: SourcesCheck = {
  codes: ['literal-secret'],
  check: ({ parsed }) => {
    const problems: Problem[] = [];
    visit(parsed.yaml.document.contents, problems);
    return problems;
  },
};

function visit(node: unknown, problems: Problem[]): void {
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (isScalar(key) && isScalar(value) && isOpen(String(key.value), value.value)) {
      problems.push({
        code: 'literal-secret',
        severity: 'warning',
        message: `This ${String(key.value)} can be read by everybody who can read the file. Write \${secret:NAME} and keep the value in secret storage.`,
        range: rangeOf(value as Node),
      });
    }
    visit(value, problems);
  }
}

/** A password may also stand in the address of a proxy. */
function isOpen(name: string, value: unknown): boolean {
  if (name === 'proxy') return /\/\/[^/@:]*:(?!\$\{)[^/@]+@/.test(String(value));
  return isSecretSetting(name) && isLiteral(value);
}

/** Whether a setting's value must not be read by others. */
export function isSecretSetting(name: string): boolean {
  return secretSettings.test(name);
}

function isLiteral(value: unknown): boolean {
  return value !== null && value !== '' && !/^\$\{(secret|env):[^}]+\}$/.test(String(value).trim());
}
