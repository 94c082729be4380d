import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Paths of all Markdown files, relative to the project root. */
export function listPages(): readonly string[] {
  const folders = ['docs', 'deploy', 'packages', 'src', 'test'].map((folder) => `${folder}/**/*.md`);
  return globSync(['*.md', ...folders], { cwd: root, exclude: ['**/node_modules/**'] }).toSorted();
}

/** The code blocks of a page in one language. */
export function codeBlocks(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );
}

/** The trimmed cells of all table rows in the section of a heading. */
export function tableRows(page: string, heading = ''): readonly (readonly string[])[] {
  const start = heading === '' ? 0 : page.indexOf(`\n${heading}\n`);
  if (start < 0) return [];
  const body = page.slice(start + heading.length + 1);
  const [section = ''] = heading === '' ? [body] : body.split(/^#{1,2} /m);
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** `page: target` of every relative link whose file or heading does not exist. */
export function findBrokenLinks(path: string): readonly string[] {
  return relativeLinks(path)
    .filter((target) => !exists(path, target))
    .map((target) => `${path}: ${target}`);
}

/** The paths, relative to the project root, that a page links. */
export function linkedPaths(path: string): readonly string[] {
  return relativeLinks(path).map((target) => {
    const [file = ''] = target.split('#');
    return file === '' ? path : join(dirname(path), file);
  });
}

function relativeLinks(path: string): readonly string[] {
  const links = [...withoutCode(readPage(path)).matchAll(/\]\(([^)\s]+)\)/g)];
  return links.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

function exists(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const linked = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(root, linked))) return false;
  if (anchor === undefined) return true;
  return statSync(join(root, linked)).isFile() && anchors(readPage(linked)).includes(anchor);
}

/** Heading anchors in the form that GitHub generates. */
function anchors(page: string): readonly string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
