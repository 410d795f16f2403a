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

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** The states that this worker has checked. Many tests reach the same state of the same screen. */
const checked = new Map<string, string[]>()

/** What axe finds wrong on the page, or in its open dialog. A state that was checked before is not checked again. */
export async function violationsOf(page: Page, part: 'page' | 'dialog' = 'page'): Promise<string[]> {
  const state = await page.evaluate<string>(`(${outlineSource})(${contextOf(part)})`)
  const known = checked.get(state)
  if (known) return known
  // Axe's own package for Playwright opens another page for every run.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`)))
    await page.evaluate(`void (() => { ${axeSource} })()`)
  const light = await runAxe(page, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  // Only the contrast differs between the themes.
  const dark = await runAxe(page, part, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  const found = [...light, ...dark.map((violation) => `dark: ${violation}`)]
  checked.set(state, found)
  return found
}

const contextOf = (part: 'page' | 'dialog'): string =>
  part === 'page' ? 'document' : `(document.querySelector('[role="dialog"]') ?? document)`

/**
 * Everything that axe judges, without the words: elements with their attributes, and whether they have text. Ids and
 * addresses differ from row to row, and equal rows count once.
 */
const outlineSource = `(root) => {
  const varying = new Set(['id', 'href', 'value', 'style', 'title', 'datetime', 'src', 'for', 'aria-label', 'aria-labelledby', 'aria-controls', 'aria-describedby', 'lang', 'dir', 'content'])
  const attributeOf = ({ name, value }) => name + '=' + (varying.has(name) || name.startsWith('data-') ? value !== '' : value)
  const outlineOf = (element) => {
    const children = [...new Set([...element.children].map(outlineOf))]
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    return element.tagName + '[' + [...element.attributes].map(attributeOf).sort() + ']' + hasText + '(' + children + ')'
  }
  const style = document.documentElement.getAttribute('style') ?? ''
  return innerWidth + style + outlineOf(root.documentElement ?? root)
}`

async function runAxe(page: Page, part: 'page' | 'dialog', rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(${contextOf(part)}, ${JSON.stringify(options)})`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
