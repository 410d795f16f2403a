import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sections, type SitePage, type SiteSection } from './pages-of-site.ts'

const root = join(import.meta.dirname, '../../..')

/** The sections with the folders of which every file is a page. */
export const allSections = (): SiteSection[] => [
  ...sections,
  { label: 'Runbooks', pages: folder('docs/runbooks', 'runbooks') },
  { label: 'Decisions', pages: folder('docs/adr', 'decisions') },
]

const folder = (path: string, slug: string): SitePage[] =>
  readdirSync(join(root, path))
    .filter((name) => name.endsWith('.md'))
    .toSorted((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b, 'en'))
    .map((name) => ({
      file: `${path}/${name}`,
      slug: name === 'README.md' ? `${slug}/overview` : `${slug}/${name.replace(/\.md$/, '')}`,
    }))
