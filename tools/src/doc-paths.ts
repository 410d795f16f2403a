import { posix } from 'node:path'

type DocPage = { readonly path: string; readonly text: string }

/** Names that only these endings have, so that a word such as `and/or` or a path of the API is not taken for a file. */
const sourceName = /^[\w@.-]+(?:\/[\w@.-]+)*\.(?:tsx?|mdx?|sh|sql|lock|ya?ml|service|timer|py)$/
const folderName = /^[\w@.-]+(?:\/[\w@.-]+)+\/?$|^[\w@.-]+\/$/
/** Names of examples: NNNN_what_it_does.sql, src/NAME/index.ts, zebra is the connector of the guide. */
const placeholder = /[A-Z]{4}|(?:^|\/)NAME\b|\bzebra\b/
/** Folders and files that commands write and git ignores, and files of an operator's machine. */
const written =
  /^(?:\.switchyard|\.toolchain|\.cache|dist|dashboard\/dist|docs\/site\/dist|node_modules)(?:\/|$)/
const linkAddress = /\[(?:[^\][]|\[[^\]]*\])*\]\(([^)\s]+)\)/g
const codeSpan = /`([^`\n]+)`/g
const fence = /^(`{3,})([^`\n]*)\n([\s\S]*?)^\1$/gm
const treeLine = /^( *)([\w@.-]+(?:\/[\w@.-]+)*)\/(?: |$)/

/** The links and the paths in code spans and folder trees of the pages that name nothing in the repository. */
export function findDeadPaths(pages: readonly DocPage[], files: readonly string[]): string[] {
  const known = namesOf(files)
  const anchors = new Map(pages.map((page) => [page.path, headingsOf(page.text)]))
  return pages.flatMap((page) => {
    const prose = page.text.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ' '))
    return [
      ...matchesIn(page, prose, linkAddress).filter(({ name }) =>
        isDeadLink(page.path, name, known.exact, anchors),
      ),
      ...matchesIn(page, prose.replaceAll(linkAddress, ''), codeSpan).filter(({ name }) =>
        isDeadName(name, known),
      ),
      ...blockNames(page).filter(({ name }) => isDeadName(name, known)),
      ...treePaths(page).filter(({ name }) => !known.exact.has(name)),
    ].map(({ line, name }) => `${page.path}:${line} names ${name}, which does not exist`)
  })
}

type Named = { readonly line: number; readonly name: string }
type Known = { readonly exact: ReadonlySet<string>; readonly endings: ReadonlySet<string> }

/** Every file and folder by its full path, and by every ending, since pages shorten paths that are clear. */
function namesOf(files: readonly string[]): Known {
  const exact = new Set<string>()
  for (const file of files)
    for (let path = file; path !== '.'; path = posix.dirname(path)) {
      if (exact.has(path)) break
      exact.add(path)
    }
  const endings = new Set<string>()
  for (const full of exact) {
    const path = full.replace(/\.txt$/, '') // a template of `npm run new:connector`
    const parts = path.split('/')
    for (const [index] of parts.entries()) endings.add(parts.slice(index).join('/'))
  }
  return { exact, endings }
}

function matchesIn(page: DocPage, prose: string, pattern: RegExp): Named[] {
  return [...prose.matchAll(pattern)].map((match) => ({
    line: lineOf(prose, match.index),
    name: match[1] ?? page.path,
  }))
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

function isDeadLink(
  from: string,
  address: string,
  exact: ReadonlySet<string>,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (/^[a-z]+:/.test(address)) return false
  const [path = '', anchor] = address.split('#')
  const target =
    path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '')
  if (!exact.has(target)) return true
  return anchor !== undefined && target.endsWith('.md') && anchors.get(target)?.has(anchor) === false
}

function isDeadName(name: string, { exact, endings }: Known): boolean {
  if (placeholder.test(name) || written.test(name)) return false
  const path = name.replace(/\/$/, '').replace(/^@switchyard\/(\w+)\//, '$1/src/')
  if (sourceName.test(name)) return !endings.has(path)
  const isOfRepository = folderName.test(name) && exact.has(path.split('/')[0] ?? '')
  return isOfRepository && !endings.has(path)
}

/** Headings as GitHub and the site address them. */
function headingsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = markdown.replaceAll(fence, '').matchAll(/^#{1,6} +(.+)$/gm)
  return new Set(
    [...headings].map(([, title = '']) => {
      const slug = title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

type Block = { readonly line: number; readonly text: string }

/** The blocks with one of the info strings, each with the line of its fence. */
function blocksOf(page: DocPage, ...infos: string[]): Block[] {
  return [...page.text.matchAll(fence)].flatMap(({ 2: info = '', 3: text = '', index }) =>
    infos.includes(info.trim()) ? [{ line: lineOf(page.text, index), text }] : [],
  )
}

/** The source files in drawings and trees, where they stand without marks. */
function blockNames(page: DocPage): Named[] {
  return blocksOf(page, '', 'text', 'text tree').flatMap((block) =>
    [...block.text.matchAll(/[\w@./-]+\.tsx?\b/g)].map((match) => ({
      line: block.line + lineOf(block.text, match.index),
      name: match[0],
    })),
  )
}

/** The folders of a block marked `text tree`, whose lines are indented by their depth. */
function treePaths(page: DocPage): Named[] {
  return blocksOf(page, 'text tree').flatMap((block) => {
    const above: { depth: number; path: string }[] = []
    return block.text.split('\n').flatMap((text, index): Named[] => {
      const [, indent, name] = treeLine.exec(text) ?? []
      if (indent === undefined || name === undefined) return []
      while ((above.at(-1)?.depth ?? -1) >= indent.length) above.pop()
      const path = posix.join(above.at(-1)?.path ?? '', name)
      above.push({ depth: indent.length, path })
      return [{ line: block.line + 1 + index, name: path }]
    })
  })
}
