import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const flawsFile = require.resolve('@switchyard/dashboard/testing/find-flaws.ts')
const flawsSource = stripTypeScriptTypes(readFileSync(flawsFile, 'utf8')).replace('export {}', '')

/** Runs in the page itself, which is many times faster than from outside. */
export const prepareLooking = async (page: Page): Promise<void> => {
  await page.addInitScript({ content: `(() => { ${flawsSource} })()` })
}

/** What makes this part of the screen, or the open dialog, hard to use at its present size. */
export const flawsOf = (page: Page, part: 'body' | 'main'): Promise<string[]> =>
  page.evaluate<string[]>(`findFlaws('${part}')`)

/** `SCREENS=all` looks at every screen; the check has time for one half only. */
export const looksAtAll = process.env['SCREENS'] === 'all'

export const halfOf = (screens: readonly string[], half: 'even' | 'odd'): readonly string[] =>
  looksAtAll ? screens : screens.filter((_, index) => index % 2 === (half === 'even' ? 0 : 1))

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** What axe finds wrong on the page, or in its open dialog. */
export async function violationsOf(page: Page, part: 'page' | 'dialog' = 'page'): Promise<string[]> {
  // Axe's own package for Playwright opens another page for every run.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`)))
    await page.evaluate(`void (() => { ${axeSource} })()`)
  const light = await runAxe(page, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  // Only the contrast differs between the themes.
  const dark = await runAxe(page, part, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((violation) => `dark: ${violation}`)]
}

async function runAxe(page: Page, part: 'page' | 'dialog', rules?: readonly string[]): Promise<string[]> {
  const context = part === 'page' ? 'document' : `document.querySelector('[role="dialog"]') ?? document`
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(${context}, ${JSON.stringify(options)})`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
