import { createReadStream, existsSync, globSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import AxeBuilder from '@axe-core/playwright'
import { chromium, type Page } from 'playwright-core'
import { questions } from './questions.ts'

/**
 * Opens every page of the built site in Chromium, light and dark: none may break a rule of axe, ask another host or log an
 * error. Then it asks the search what newcomers ask. `--every N` opens every Nth page of the API's operations only.
 */
const dist = join(import.meta.dirname, '../dist')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
}
const { values } = parseArgs({ options: { every: { type: 'string', default: '1' } } })
const every = Number(values.every)

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
  const file = join(dist, path.endsWith('/') ? `${path}index.html` : path)
  if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile())
    return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
  createReadStream(file).pipe(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listening, so it has an address
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const problems: string[] = []

const paths = globSync('**/index.html', { cwd: dist })
  .map((file) => `/${file.slice(0, -'index.html'.length)}`)
  .toSorted()
  .filter((path, index) => !path.startsWith('/api/operations/') || index % every === 0)
for (const colorScheme of ['light', 'dark'] as const) {
  const context = await browser.newContext({ colorScheme })
  const page = await context.newPage()
  watch(page)
  for (const path of paths) {
    await page.goto(`${origin}${path}`)
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations)
      problems.push(`${path} (${colorScheme}): ${id}, ${nodes[0]?.html.slice(0, 120)}`)
  }
  await context.close()
}

const page = await browser.newPage()
watch(page)
await page.goto(`${origin}/`)
for (const [question, answers] of Object.entries(questions)) {
  const found = await page.evaluate(search, question)
  if (!found.some((path) => answers.includes(path))) problems.push(`"${question}" finds ${found.join(', ')}`)
}
await browser.close()
server.close()

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(
  `${paths.length} pages, ${Object.keys(questions).length} questions, ${problems.length} problems\n`,
)
if (problems.length > 0) process.exitCode = 1

function watch(tab: Page): void {
  tab.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      problems.push(`asks ${request.url()}`)
  })
  tab.on('pageerror', (error) => problems.push(`${tab.url()}: ${error.message}`))
}

interface Pagefind {
  search(question: string): Promise<{ results: { data(): Promise<{ url: string }> }[] }>
}

/** Runs in the browser: the first three results of the site's own search. */
async function search(question: string): Promise<string[]> {
  const script = '/pagefind/pagefind.js'
  const pagefind = (await import(script)) as Pagefind // made by the build
  const { results } = await pagefind.search(question)
  return Promise.all(results.slice(0, 3).map(async (result) => (await result.data()).url))
}
