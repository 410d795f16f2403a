import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const drawingsFolder = join(import.meta.dirname, '../public/diagrams')

export interface Drawing {
  /** The names of the files that `npm run diagrams` writes. */
  light: string
  dark: string
  description: string
}

/** A drawing is named after its source, so a diagram that was changed and not drawn again is found. */
export function drawingOf(source: string): Drawing {
  const [, description] = /^\s*accTitle: (.+)$/m.exec(source) ?? []
  if (description === undefined) throw new Error(`A diagram has no accTitle, which is its text:\n${source}`)
  const name = createHash('sha256').update(source).digest('hex').slice(0, 16)
  return { light: `${name}.svg`, dark: `${name}-dark.svg`, description }
}

export function imagesOf(source: string): string {
  const { light, dark, description } = drawingOf(source)
  const missing = [light, dark].find((name) => !existsSync(join(drawingsFolder, name)))
  if (missing !== undefined) throw new Error(`"${description}" has no drawing; run npm run diagrams`)
  const image = (name: string, shownIn: string): string =>
    `<img class="diagram diagram-${shownIn}" src="/diagrams/${name}" alt="${description}" loading="lazy">`
  return `${image(light, 'light')}\n${image(dark, 'dark')}`
}
