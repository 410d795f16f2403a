import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { imagesOf } from './diagrams.ts'
import { allSections } from './all-sections.ts'
import type { SitePage } from './pages-of-site.ts'

/**
 * Writes the pages that Starlight builds, from the Markdown of this repository: the first heading becomes the title, links
 * between files become links between pages, and diagrams become drawings.
 */
const site = join(import.meta.dirname, '..')
const root = join(site, '../..')
const target = join(site, 'src/content/docs')
const tabsImport = `import { TabItem, Tabs } from '@astrojs/starlight/components'`
const pictureNames = /\.(?:webp|png|svg)$/

const pages = allSections().flatMap((section) => section.pages)
const slugOf = new Map(pages.map(({ file, slug }) => [file, slug]))

function preparePages(): void {
  const unlisted = globSync('docs/*.md', { cwd: root }).filter((file) => !slugOf.has(file))
  if (unlisted.length > 0) throw new Error(`pages-of-site.ts does not list ${unlisted.join(', ')}`)
  rmSync(target, { recursive: true, force: true })
  for (const page of pages) {
    const text = pageOf(page, readFileSync(join(root, page.file), 'utf8'))
    // Only MDX can show a component.
    const written = join(target, `${page.slug}.${text.includes(tabsImport) ? 'mdx' : 'md'}`)
    mkdirSync(dirname(written), { recursive: true })
    writeFileSync(written, text)
  }
  cpSync(join(import.meta.dirname, 'home.mdx'), join(target, 'index.mdx'))
}

function pageOf({ file, slug, isUnsearched }: SitePage, markdown: string): string {
  const [, title = file] = /^# (.+)$/m.exec(markdown) ?? []
  const body = markdown.replace(/^# .+\n/m, '')
  const description = firstSentence(body)
  const front = {
    title: title.replaceAll('`', ''),
    ...(description !== '' && { description }),
    ...(isUnsearched && { pagefind: false }),
  }
  return `---\n${Object.entries(front)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n${withTabs(outsideCode(withDrawings(body), (text) => mendLinks(text, file, slug)))}`
}

/** The first sentence of the first paragraph, without marks. */
function firstSentence(body: string): string {
  const paragraph = body.split('\n\n').find((part) => /^[A-Z*[`]/.test(part.trim())) ?? ''
  const plain = paragraph
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain
}

/** Applies the change to what is neither a block nor a span of code. */
const outsideCode = (markdown: string, change: (text: string) => string): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part.replace(/^```(\w+) (?:ci|expected)$/m, '```$1') : change(part),
    )
    .join('')

function mendLinks(text: string, file: string, slug: string): string {
  return text.replace(
    /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (whole, mark: string, label: string, address: string) => {
      if (/^(?:[a-z]+:|#)/.test(address)) return whole
      const [path = '', anchor] = address.split('#')
      const found = posix.normalize(posix.join(posix.dirname(file), path))
      if (mark === '!') return `![${label}](${shown(found, slug)})`
      if (pictureNames.test(found)) return `[${label}](${served(found)})`
      const page = slugOf.get(found) ?? slugOf.get(`${found.replace(/\/$/, '')}/README.md`)
      if (page !== undefined) return `[${label}](/${page}/${anchor === undefined ? '' : `#${anchor}`})`
      if (found === 'docs/openapi.json') return `[${label}](/api/)`
      // A file of the source is not a page; its path says enough.
      if (!existsSync(join(root, found))) throw new Error(`${file} links to ${address}, which does not exist`)
      return label.includes('`') || label === found ? label : `${label} (\`${found}\`)`
    },
  )
}

/** Pictures lie beside the page, so that the build finds, measures and shrinks them. */
const shown = (picture: string, slug: string): string =>
  `./${copied(picture, join(target, posix.dirname(slug)))}`

/** A picture that a page links to instead of showing it is served as it is. */
const served = (picture: string): string => `/pictures/${copied(picture, join(site, 'public/pictures'))}`

/** Returns the name under which the picture lies in the folder. */
function copied(picture: string, folder: string): string {
  const name = picture.replaceAll('/', '-')
  cpSync(join(root, picture), join(folder, name))
  return name
}

/** Blocks of code that follow each other below a name in bold letters become tabs; all tabs of the site change together. */
function withTabs(body: string): string {
  const sample = String.raw`\*\*([\w ]+)\*\*\n\n(\x60{3}[^]*?^\x60{3}$)\n*`
  const tabbed = body.replace(new RegExp(`(?:^${sample}){2,}`, 'gm'), (samples) => {
    const items = [...samples.matchAll(new RegExp(`^${sample}`, 'gm'))].map(
      ([, label, code]) => `<TabItem label="${label}">\n\n${code}\n\n</TabItem>`,
    )
    return `<Tabs syncKey="language">\n${items.join('\n')}\n</Tabs>\n\n`
  })
  return tabbed === body ? body : `\n${tabsImport}\n${tabbed}`
}

const withDrawings = (body: string): string =>
  body.replace(/^```mermaid\n([\s\S]*?)^```$/gm, (_whole, source: string) => imagesOf(source))

preparePages()
