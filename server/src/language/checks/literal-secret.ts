import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { isSecretParameter, isSecretSetting } from '../../model/secret-settings.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** A literal password or token in the file. */
export const literalSecret: SourcesCheck = {
  codes: ['literal-secret'],
  check: ({ parsed }) => {
    const problems: Problem[] = [];
    visit(parsed.yaml.document.contents, problems);
    return problems;
  },
};

function visit(node: unknown, problems: Problem[]): void {
  if (isSeq(node)) for (const item of node.items) visit(item, problems);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (isScalar(key) && isScalar(value) && isOpen(String(key.value), value.value)) {
      problems.push({
        code: 'literal-secret',
        severity: 'warning',
        message: messageOf(String(key.value)),
        range: rangeOf(value as Node),
      });
    }
    visit(value, problems);
  }
}

function messageOf(name: string): string {
  const remedy = 'Write ${secret:NAME} and keep the value in secret storage.';
  return name === 'baseUrl'
    ? 'The password in this address can be read by everybody who can read the file. Take it out of the address and set "auth".'
    : `This ${name} can be read by everybody who can read the file. ${remedy}`;
}

/** An address may also contain a password, and request parameters a key, in any spelling. */
function isOpen(name: string, value: unknown): boolean {
  if (isAddress(name)) return /\/\/[^/@:]*:(?!\$\{)[^/@]+@/.test(String(value));
  return (isSecretSetting(name) || isSecretParameter(name)) && isLiteral(value);
}

function isAddress(name: string): boolean {
  return name === 'proxy' || name === 'baseUrl';
}

function isLiteral(value: unknown): boolean {
  return value !== null && value !== '' && !/^\$\{(secret|env):[^}]+\}$/.test(String(value).trim());
}
