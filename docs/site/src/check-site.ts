import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser } from './open-browser.ts'
import { readQuestions } from './questions.ts'
import { searchRanking } from './search-ranking.ts'
import { dist, serveSite } from './serve-site.ts'

/**
 * Opens the pages of the built site in Chromium, light and dark: none may break a rule of axe, ask another host or log an
 * error. Then it asks the search what newcomers ask. `--every N` opens every Nth page, `--from K` those after the Kth.
 */
/** Only the contrast differs between the themes, so it is enough for the second. */
const schemes: readonly [colorScheme: 'light' | 'dark', rules: readonly string[]][] = [
  ['light', []],
  ['dark', ['color-contrast']],
]
const tabsAtOnce = 2
const firstRefusal = 400

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, from: { type: 'string', default: '0' } },
})
const every = Number(values.every)
const from = Number(values.from)
if (!Number.isInteger(every) || every < 1) throw new Error('--every takes a whole number from 1 on')

const questions = readQuestions()
const paths = globSync('**/index.html', { cwd: dist })
  .map((file) => `/${file.slice(0, -'index.html'.length)}`)
  .toSorted()
  .filter((_path, index) => index % every === from)
if (paths.length === 0) throw new Error(`${dist} has no page; build the site first`)

const site = await serveSite()
const browser = await openBrowser()
const context = await browser.newContext({ reducedMotion: 'reduce' })
await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
/** The pages and questions with a problem. */
const failed = new Set<string>()

try {
  const waiting = [...paths]
  await Promise.all(Array.from({ length: tabsAtOnce }, () => openPages(waiting)))
  await askQuestions()
} finally {
  await browser.close()
  site.close()
}
process.stdout.write(`${failed.size} of ${paths.length} pages and ${questions.size} questions failed\n`)
process.stdout.write(`${paths.length + questions.size - failed.size} passed, ${failed.size} failed\n`)
if (failed.size > 0) process.exitCode = 1

function report(subject: string, problem: string): void {
  failed.add(subject)
  process.stderr.write(`${subject}: ${problem}\n`)
}

async function openTab(): Promise<Page> {
  const tab = await context.newPage()
  const shown = (): string => new URL(tab.url()).pathname
  tab.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(site.origin) && !url.startsWith('data:')) report(shown(), `asks ${url}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= firstRefusal) report(shown(), `${response.url()} answers ${response.status()}`)
  })
  tab.on('pageerror', (error) => report(shown(), error.message))
  return tab
}

async function openPages(waiting: string[]): Promise<void> {
  const tab = await openTab()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    await tab.goto(`${site.origin}${path}`)
    for (const [colorScheme, rules] of schemes) {
      await tab.emulateMedia({ colorScheme })
      await tab.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme)
      for (const violation of await tab.evaluate(violations, rules))
        report(path, `${colorScheme}: ${violation}`)
    }
  }
}

async function askQuestions(): Promise<void> {
  const tab = await openTab()
  await tab.goto(`${site.origin}/`)
  for (const [question, answers] of questions) {
    const found = await tab.evaluate(search, { question, ranking: searchRanking })
    if (!found.some((path) => answers.includes(path))) report(question, `finds ${found.join(', ')}`)
  }
}

/** Runs in the browser: which of the rules (of all if none is named) the page breaks, each with the first element that does. */
async function violations(rules: readonly string[]): Promise<string[]> {
  // Added to every page before its own scripts.
  const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
  const found = await axe.run({
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: [...rules] }),
  })
  return found.violations.map(
    ({ id, nodes: [node] }) => `${id}, ${node?.html.slice(0, 160)} ${node?.any[0]?.message ?? ''}`,
  )
}

interface Question {
  question: string
  ranking: typeof searchRanking
}

interface Pagefind {
  options(options: { ranking: typeof searchRanking }): Promise<void>
  search(question: string): Promise<{ results: { data(): Promise<{ url: string }> }[] }>
}

/** Runs in the browser: the first three results of the site's own search, in the order that its dialog shows. */
async function search({ question, ranking }: Question): Promise<string[]> {
  const script = '/pagefind/pagefind.js'
  const pagefind = (await import(script)) as Pagefind // made by the build
  await pagefind.options({ ranking })
  const { results } = await pagefind.search(question)
  return Promise.all(results.slice(0, 3).map(async (result) => (await result.data()).url))
}
