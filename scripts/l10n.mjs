// `node scripts/l10n.mjs [--check]`: collects what the extension says into l10n/bundle.l10n.json, from which translations are made.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import ts from 'typescript';
import { clientTexts } from './client-texts.mjs';
import { serverTexts } from './server-texts.mjs';
import { isMainModule, root } from './paths.mjs';
import { webviewTexts } from './webview-texts.mjs';

const bundlePath = join(root, 'l10n/bundle.l10n.json');
/** Webview modules that define `t`, or run when the extension's page is broken. */
const speechless = new Set(['translate.ts', 'root-element.ts']);

/** @returns {{ messages: readonly string[], problems: readonly string[] }} */
export function collectMessages() {
  const messages = new Set();
  const problems = [];
  const take = (source, texts) => {
    texts.messages.forEach((text) => messages.add(text));
    problems.push(...texts.problems.map(({ node, what }) => `${placeOf(source, node)}: ${what}`));
  };
  for (const source of sourcesIn('webview/src')) {
    if (!speechless.has(basename(source.fileName))) take(source, webviewTexts(source));
  }
  for (const source of sourcesIn('client/src')) take(source, clientTexts(source));
  for (const source of sourcesIn('protocol/fields')) labelsIn(source).forEach((text) => messages.add(text));
  for (const folder of ['server/src/connectors', 'server/src/draft']) {
    for (const source of sourcesIn(folder)) take(source, serverTexts(source));
  }
  return { messages: [...messages].sort(), problems: [...problems, ...manifestProblems()] };
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(root, folder, String(name)))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
}

/** What forms say of fields. */
function labelsIn(source) {
  const texts = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && /^(label|placeholder)$/.test(node.name.getText(source))) {
      if (ts.isStringLiteralLike(node.initializer)) texts.push(node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function placeOf(source, node) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${relative(root, source.fileName)}:${line + 1}`;
}

function manifestProblems() {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  const used = new Set([...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key));
  const { contributes } = JSON.parse(manifest);
  const plain = contributes.commands.filter(
    ({ title, category }) => ![title, category].every((text) => text.startsWith('%')),
  );
  return [
    ...plain.map(({ command }) => `package.json: title and category of ${command} belong into package.nls.json.`),
    ...[...used].filter((key) => !(key in texts)).map((key) => `package.nls.json lacks ${key}.`),
    ...Object.keys(texts)
      .filter((key) => !used.has(key))
      .map((key) => `package.nls.json: nothing uses ${key}.`),
  ];
}

if (isMainModule(import.meta.url)) {
  const { messages, problems } = collectMessages();
  const text = `${JSON.stringify(Object.fromEntries(messages.map((message) => [message, message])), null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    mkdirSync(join(root, 'l10n'), { recursive: true });
    writeFileSync(bundlePath, text);
  } else if (!existsSync(bundlePath) || readFileSync(bundlePath, 'utf8') !== text) {
    problems.push('l10n/bundle.l10n.json is out of date: run node scripts/l10n.mjs.');
  }
  for (const problem of problems) console.error(problem);
  console.log(`l10n: ${messages.length} messages, ${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
