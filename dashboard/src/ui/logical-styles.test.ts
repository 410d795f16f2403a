import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = join(import.meta.dirname, '..')
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
)

/** Styles that would stay on the same side in a right-to-left page. */
function physicalSides(css: string): string[] {
  const named = css.match(/^[^@{}]*(?:\b(?:left|right)\b|\btranslateX\b)[^{}]*?;/gm) ?? []
  const four = [
    ...css.matchAll(/(?:margin|padding|inset|border-(?:width|color|style)): (\S+) (\S+) (\S+) (\S+);/g),
  ]
    .filter(([, , right, , left]) => right !== left)
    .map(([text]) => text)
  const corners = [...css.matchAll(/border-radius: (\S+) (\S+)(?: (\S+))?(?: (\S+))?;/g)]
    .filter(([, start, end]) => start !== end)
    .map(([text]) => text)
  const shadows = css.match(/box-shadow: inset -?[1-9.]\w* 0 0 [^;]+;/g) ?? []
  return [...named, ...four, ...corners, ...shadows].map((text) => text.trim())
}

describe('the styles', () => {
  it.each(files)('of %s have no physical side', (file) => {
    expect(physicalSides(readFileSync(join(sources, file), 'utf8'))).toEqual([])
  })

  it.each([
    'left: 0;',
    'margin-right: 1rem;',
    'text-align: left;',
    'float: right;',
    'border-top-left-radius: 4px;',
    'transform: translateX(4px);',
    'padding: 0 1rem 0 2rem;',
    'border-radius: 4px 0 0 4px;',
    'box-shadow: inset 2px 0 0 red;',
  ])('with %s are found', (text) => {
    expect(physicalSides(`.a {\n  ${text}\n}`)).toEqual([text])
  })

  it.each(['padding: 0 1rem 0 1rem;', 'text-align: start;', 'inset-inline-end: 0;', 'border-radius: 4px;'])(
    'with %s are fine',
    (text) => expect(physicalSides(`.a {\n  ${text}\n}`)).toEqual([]),
  )
})
