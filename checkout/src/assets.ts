import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accentOf, defaultAccent } from './color.ts'
import type { Assets } from './render-page.ts'

interface Asset {
  type: string
  body: string
}

const hashLength = 12

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, hashLength)

const styles = read('checkout.css')
const script = read('generated/checkout.js')
const stylesHash = hashOf(styles)
const scriptFile = `checkout.${hashOf(script)}.js`

const folder = '/pay-assets'
const stylesheetPattern = /^checkout\.([\w-]+)\.([0-9a-f]{6})\.css$/

/** The URLs contain a hash of the content, so browsers can cache them forever. */
export const assetsFor = (color: string | null): Assets => ({
  stylesheet: `${folder}/checkout.${stylesHash}.${(color ?? defaultAccent).slice(1)}.css`,
  script: `${folder}/${scriptFile}`,
})

/** The URL contains the colour, so serving a stylesheet needs no database query and no inline style. */
export function findAsset(file: string): Asset | undefined {
  if (file === scriptFile) return { type: 'text/javascript; charset=utf-8', body: script }
  const [, hash, color] = stylesheetPattern.exec(file) ?? []
  if (hash !== stylesHash || color === undefined) return undefined
  return { type: 'text/css; charset=utf-8', body: `${accentStyles(`#${color}`)}\n${styles}` }
}

function accentStyles(color: string): string {
  const { accent, onAccent, textOnLight, textOnDark } = accentOf(color)
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-light:${textOnLight};--accent-dark:${textOnDark}}`
}
