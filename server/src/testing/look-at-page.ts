import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const axe = createRequire(require.resolve('@axe-core/playwright'))
const axeSource = readFileSync(axe.resolve('axe-core/axe.min.js'), 'utf8')
const flawsFile = require.resolve('@switchyard/dashboard/testing/find-flaws.ts')
const flawsSource = stripTypeScriptTypes(readFileSync(flawsFile, 'utf8')).replace('export {}', '')

/** Both run in the page itself, which is many times faster than from outside. */
export const prepareLooking = async (page: Page): Promise<void> => {
  await page.addInitScript({ content: axeSource })
  await page.addInitScript({ content: `(() => { ${flawsSource} })()` })
}

/** What makes this part of the screen, or the open dialog, hard to use at its present size. */
export const flawsOf = (page: Page, part: 'body' | 'main'): Promise<string[]> =>
  page.evaluate<string[]>(`findFlaws('${part}')`)

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** What axe finds wrong in the page, or in the open dialog. */
export async function violationsIn(page: Page, rules?: readonly 'color-contrast'[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document.querySelector('[role="dialog"]') ?? document, ${JSON.stringify(options)})`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
