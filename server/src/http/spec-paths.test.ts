import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { comingFrom, specPaths } from '../testing/spec-paths.ts'

const list = readFileSync(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8')
const listed = new Map(
  list.split('\n').flatMap((line) => {
    const [, section = '', endpoint = ''] = /^\|\s*(\S+)\s*\|\s*`([^`]+)`/.exec(line) ?? []
    return endpoint === '' ? [] : [[endpoint, section] as const]
  }),
)

describe('docs/endpoints.md has every path of the specification', () => {
  it.each(specPaths.filter(([, endpoint]) => !comingFrom.has(endpoint)))('%s %s', (section, endpoint) => {
    expect(listed.get(endpoint)).toBe(section)
  })

  it.each([...comingFrom])('%s is still to come', (endpoint) => {
    expect(specPaths.map(([, path]) => path)).toContain(endpoint)
    expect(listed.has(endpoint)).toBe(false)
  })
})
