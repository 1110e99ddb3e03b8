// Checks who imports whom by the table in .dependency-cruiser.cjs: `node scripts/check-imports.mjs`.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isMainModule, root } from './paths.mjs';

const folders = ['protocol', 'client', 'server', 'webview', 'test', 'bench', 'scripts'];

/**
 * One line per violated rule, empty without violations. Rejects when fewer modules were read than there are source
 * files: with an unsupported TypeScript version, dependency-cruiser reads nothing and reports success.
 */
export async function checkImports() {
  const { cruise } = await import('dependency-cruiser');
  const { options, ...ruleSet } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(root, folder))),
    { ...options, ruleSet, validate: true, baseDir: root },
  );
  const read = new Set(output.modules.map(({ source }) => source));
  const unread = sourceFiles().filter((file) => !read.has(file));
  if (unread.length > 0)
    throw new Error(`dependency-cruiser did not read ${unread.length} files, such as ${unread[0]}.`);
  return {
    modules: read.size,
    violations: output.summary.violations.map(
      ({ from, to, rule }) =>
        `${from} → ${to}  ${rule.name}: ${ruleSet.forbidden.find(({ name }) => name === rule.name)?.comment}`,
    ),
  };
}

function sourceFiles() {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(folder === 'scripts' ? '.mjs' : '.ts'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
}

if (isMainModule(import.meta.url)) {
  const { modules, violations } = await checkImports();
  for (const violation of violations) console.error(violation);
  console.log(`check-imports: ${modules} modules, ${violations.length} broken rules.`);
  if (violations.length > 0) process.exitCode = 1;
}
