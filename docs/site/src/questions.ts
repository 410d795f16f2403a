import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { allSections } from './all-sections.ts'

const page = 'docs/questions.md'

/** What newcomers ask, from the table of the page, and the addresses of which one must be among the first three results. */
export function readQuestions(): Map<string, string[]> {
  const markdown = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8')
  const slugOf = new Map(
    allSections().flatMap(({ pages }) => pages.map(({ file, slug }) => [file, slug] as const)),
  )
  const rows = markdown.split('\n').filter((line) => line.includes(']('))
  return new Map(
    rows.map((row) => {
      const [, question = '', answers = ''] = row.split('|')
      return [question.trim(), [...answers.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => slugFrom(link))]
    }),
  )

  function slugFrom(link: string): string {
    const slug = slugOf.get(posix.join(posix.dirname(page), link))
    if (slug === undefined) throw new Error(`${page} names ${link}, which is no page of the site`)
    return `/${slug}/`
  }
}
