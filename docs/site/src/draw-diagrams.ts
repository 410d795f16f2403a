import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openBrowser } from './open-browser.ts'
import { drawingOf, drawingsFolder } from './diagrams.ts'
import { allSections } from './all-sections.ts'

/** Draws every diagram of the pages, light and dark, with Chromium, and removes the drawings that no page shows any more. */
const root = join(import.meta.dirname, '../../..')
const library = createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js')

const sources = allSections()
  .flatMap(({ pages }) => pages)
  .flatMap(({ file }) => readFileSync(join(root, file), 'utf8').match(/^```mermaid\n[\s\S]*?^```$/gm) ?? [])
  .map((block) => block.slice('```mermaid\n'.length, -'```'.length))

const browser = await openBrowser()
const tab = await browser.newPage()
await tab.setContent('<!doctype html><body></body>')
await tab.addScriptTag({ path: library })
mkdirSync(drawingsFolder, { recursive: true })
const drawn = new Set<string>()
for (const source of sources) {
  const { light, dark } = drawingOf(source)
  for (const [name, theme] of [
    [light, 'neutral'],
    [dark, 'dark'],
  ] as const) {
    const svg = await tab.evaluate(draw, { source, theme, id: `d${name.slice(0, 16)}` })
    writeFileSync(join(drawingsFolder, name), svg)
    drawn.add(name)
  }
}
await browser.close()
for (const name of readdirSync(drawingsFolder)) if (!drawn.has(name)) rmSync(join(drawingsFolder, name))
process.stdout.write(`${drawn.size} drawings of ${sources.length} diagrams\n`)

interface Mermaid {
  initialize(options: object): void
  render(id: string, source: string): Promise<{ svg: string }>
}

/** Runs in the browser. Labels are SVG text, because an SVG image does not render the HTML in a foreignObject. */
async function draw({ source, theme, id }: { source: string; theme: string; id: string }): Promise<string> {
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid } // added by the script tag
  const options = {
    theme,
    startOnLoad: false,
    htmlLabels: false,
    deterministicIds: true,
    fontFamily: 'system-ui, sans-serif',
  }
  mermaid.initialize({ ...options, flowchart: { htmlLabels: false } })
  return (await mermaid.render(id, source)).svg
}
