import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Token, type Tokens, marked } from 'marked';

/** Root folder of the project. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** A heading as it is written, with its anchor on the page. */
export interface DocHeading {
  readonly depth: number;
  readonly anchor: string;
  readonly text: string;
}

/** A Markdown page with its heading anchors, as on GitHub, and its links. */
export interface DocPage {
  readonly anchors: ReadonlySet<string>;
  readonly headings: readonly DocHeading[];
  /** Targets of links and images as they are written. */
  readonly links: readonly string[];
}

export function readDocPage(text: string): DocPage {
  const tokens = marked.lexer(text);
  const anchors = new Set<string>();
  const headings: DocHeading[] = [];
  const links: string[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') {
      const { text: heading, depth } = token as Tokens.Heading;
      const anchor = nextAnchor(heading, anchors);
      anchors.add(anchor);
      headings.push({ depth, anchor, text: heading });
    }
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link | Tokens.Image).href);
  });
  return { anchors, headings, links };
}

/** A third-level heading with its content. */
export interface DocSection {
  readonly title: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

export function readSections(text: string): readonly DocSection[] {
  const sections: { title: string; text: string; tokens: Token[] }[] = [];
  let isOpen = false;
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: title } = token as Tokens.Heading;
      isOpen = depth === 3;
      if (isOpen) sections.push({ title, text: '', tokens: [] });
    } else if (isOpen) {
      sections.at(-1)!.text += token.raw;
      sections.at(-1)!.tokens.push(token);
    }
  }
  return sections;
}

/** The rules of the pages that docs/semantics.md lists. */
export function semanticsSections(): readonly DocSection[] {
  return [...docPages()].flatMap(([path, text]) => (path.startsWith('docs/semantics/') ? readSections(text) : []));
}

/** All Markdown pages of the project with their text, by path from the root. */
export function docPages(): ReadonlyMap<string, string> {
  const below = ['docs', 'bench/notes'].flatMap((folder) =>
    readdirSync(projectRoot + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const paths = [...readdirSync(projectRoot), ...below].filter((path) => path.endsWith('.md'));
  return new Map(paths.map((path) => [path, readFileSync(projectRoot + path, 'utf8')]));
}

/** GitHub's rule: lower case, punctuation removed, spaces to hyphens; repeated headings are numbered. */
function nextAnchor(heading: string, taken: ReadonlySet<string>): string {
  const slug = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
  for (let number = 0; ; number += 1) {
    const anchor = number === 0 ? slug : `${slug}-${number}`;
    if (!taken.has(anchor)) return anchor;
  }
}
